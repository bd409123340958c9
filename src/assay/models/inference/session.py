"""An ONNX model that returns identical results for any number of threads."""

from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType

import numpy as np

from assay.errors import InputError
from assay.extras import install_command
from assay.models.inference._runtime import runtime
from assay.models.inference.device import CPU, CUDA, gpu_name, no_cuda, providers_for
from assay.records.arrays import Ints
from assay.records.model import Vectors

__all__ = ["Session"]

# Fused, adding and normalising takes nine times as long as one after the other (onnxruntime 1.31),
# which was a fifth of the time of a text.
UNUSED = "SkipLayerNormFusion"


class Session:
    """Runs a model on one text at a time, each in the thread that asks.

    One text per run, since dynamic int8 picks its scale from all that is in a batch: the vector of
    a text would depend on its neighbours. One thread per run, since many texts fill all cores
    better, and sums split over threads may be added in another order.
    """

    def __init__(self, model: Path | bytes, *, device: str = "cpu", where: str = "model") -> None:
        try:
            onnx = runtime()
        except ImportError:
            hint = install_command("search")
            raise InputError("needs the package onnxruntime", where=where, hint=hint) from None
        source = model if isinstance(model, bytes) else str(model)
        providers = providers_for(device, onnx.get_available_providers(), where=where)
        if CUDA in providers:
            _load_cuda(onnx)
        try:
            self._session = onnx.InferenceSession(source, _options(onnx), providers=providers)
        except Exception as error:  # noqa: BLE001 (the runtime has no error type of its own in common)
            problem = f"onnxruntime cannot load the model ({str(error)[:200]})"
            raise InputError(problem, where=where, hint="export the model to ONNX again") from None
        used = self._session.get_providers()[0]
        if device == "cuda" and used != CUDA:  # onnxruntime goes on without
            raise no_cuda("onnxruntime finds no GPU, driver or CUDA library", where=where)
        # What computes, as part of fingerprints: the bits of another GPU are others.
        self.device = f"{used} ({gpu_name()})" if used == CUDA else used
        self._inputs = [its.name for its in self._session.get_inputs()]
        self._where = where
        told = f"{onnx.__version__} without {UNUSED}"
        # All that may change a bit.
        self.version = told if used == CPU else f"{told} on {self.device}"

    def run(self, ids: Ints, types: Ints | None = None) -> Vectors:
        """Return the model's first output for one window of tokens."""
        given: Mapping[str, Ints] = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids) if types is None else types,
        }
        if unknown := set(self._inputs) - set(given):
            hint = f"use a text model with the inputs {', '.join(given)}"
            problem = f"the model has unknown inputs: {', '.join(sorted(unknown))}"
            raise InputError(problem, where=self._where, hint=hint)
        try:
            output: Sequence[Vectors] = self._session.run(
                None, {name: given[name] for name in self._inputs}
            )
        except Exception as error:  # noqa: BLE001 (as above)
            problem = f"the model failed on {ids.size:,} tokens ({str(error)[:200]})"
            raise InputError(problem, where=self._where, hint="use a smaller window") from None
        return output[0]


def _load_cuda(onnx: ModuleType) -> None:
    """Load the libraries of CUDA that came as packages; what is missing shows in the providers."""
    onnx.set_default_logger_severity(4)  # no errors on the terminal: whoever needs the GPU is told
    with redirect_stdout(StringIO()):
        if hasattr(onnx, "preload_dlls"):
            onnx.preload_dlls()


def _options(onnx: ModuleType) -> object:
    options = onnx.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("optimization.disable_specified_optimizers", UNUSED)
    options.log_severity_level = 3  # errors only: they come as exceptions
    return options
