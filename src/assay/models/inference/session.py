"""An ONNX model that returns identical results for any number of threads."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np

from assay.errors import InputError
from assay.extras import install_command
from assay.models.inference._runtime import runtime
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

    def __init__(self, model: Path | bytes, *, where: str = "model") -> None:
        try:
            onnx = runtime()
        except ImportError:
            hint = install_command("search")
            raise InputError("needs the package onnxruntime", where=where, hint=hint) from None
        source = model if isinstance(model, bytes) else str(model)
        providers = ["CPUExecutionProvider"]
        try:
            self._session = onnx.InferenceSession(source, _options(onnx), providers=providers)
        except Exception as error:  # noqa: BLE001 (the runtime has no error type of its own in common)
            problem = f"onnxruntime cannot load the model ({str(error)[:200]})"
            raise InputError(problem, where=where, hint="export the model to ONNX again") from None
        self._inputs = [its.name for its in self._session.get_inputs()]
        self._where = where
        self.version = f"{onnx.__version__} without {UNUSED}"  # all that may change a bit

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


def _options(onnx: ModuleType) -> object:
    options = onnx.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("optimization.disable_specified_optimizers", UNUSED)
    options.log_severity_level = 3  # errors only: they come as exceptions
    return options
