"""An ONNX model in int8: made once, kept under the hash of its own bytes, made again if damaged."""

import json
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.extras import install_command
from assay.models.inference._runtime import runtime
from assay.models.inference.graph_rewrites import Outliers, drop_mask, ease_outliers
from assay.records import Track, untracked

if TYPE_CHECKING:
    from onnx import ModelProto

__all__ = ["quantise"]

ABANDONED_S = 3600
RECIPE = "dynamic-qint8-per-channel-reduced-matmul-2"  # say another when the quantisation changes


def quantise(
    source: Callable[[], Path],
    origin: str,
    *,
    folder: Path,
    outliers: Outliers | None = None,
    name: str = "the model",
    track: Track = untracked,
) -> bytes:
    """Return the int8 model made of a source whose hash is ``origin``, from the folder if there.

    It is for one text at a time, without padding. ``outliers`` are channels that would spoil the
    precision of the others. ``source`` is called only when the model must be made, so that a large
    file is not read for nothing. The file's name holds the hash of its content: one rename stores
    both, so that two processes cannot disagree, and a damaged file is seen.
    """
    key = _key(origin, outliers or {})
    for path in sorted(folder.glob(f"{key}-*.onnx")):
        model = path.read_bytes()
        if path.stem == f"{key}-{sha256(model).hexdigest()}":
            return model
        path.unlink(missing_ok=True)
    # Some seconds in which nothing else moves: whoever looks is told why, and that it is once.
    for make in track([_made], f"preparing {name} (first use only)"):
        model = make(source(), outliers or {})
        _stored(model, folder, f"{key}-{sha256(model).hexdigest()}.onnx")
    return model


def _key(origin: str, outliers: Outliers) -> str:
    parts = "\n".join([origin, str(runtime().__version__), RECIPE, json.dumps(outliers)])
    return sha256(parts.encode()).hexdigest()[:16]


def _made(source: Path, outliers: Outliers) -> bytes:
    try:
        runtime()
        import onnx
        from onnxruntime.quantization import (  # type: ignore[import-untyped]
            QuantType,
            quantize_dynamic,
        )
    except ImportError:
        problem = "needs the package onnx for int8"
        raise InputError(problem, where="model", hint=install_command("search")) from None
    model = _loaded(source)
    drop_mask(model)
    exact = ease_outliers(model, outliers)
    # The file is optimised already; unless it says so, onnxruntime warns on the root logger.
    onnx.helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
    with tempfile.TemporaryDirectory(prefix="assay-") as place:
        target = Path(place) / "int8.onnx"
        # Only products of matrices: the embedding table in int8 costs accuracy and saves no time.
        # Weights of 7 bits: processors without VNNI add pairs of products in 16 bits, where 8 bits
        # overflow (onnxruntime's documentation, "Quantize ONNX models", on reduce_range).
        quantize_dynamic(
            model,
            target,
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"],
            nodes_to_exclude=exact,
        )
        return target.read_bytes()


def _loaded(source: Path) -> "ModelProto":
    """Load a model with its weights, these from a copy.

    onnx refuses weights in a file with several hard links, which is how uv installs packages.
    """
    import onnx

    model = onnx.load(str(source), load_external_data=False)
    tensors = (tensor.external_data for tensor in model.graph.initializer)
    files = {one.value for told in tensors for one in told if one.key == "location"}
    with tempfile.TemporaryDirectory(prefix="assay-") as place:
        for name in files:
            shutil.copyfile(source.parent / name, Path(place) / name)
        onnx.load_external_data_for_model(model, place)
    return model


def _stored(model: bytes, folder: Path, name: str) -> None:
    part = folder / f".{name}.{os.getpid()}-{secrets.token_hex(4)}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _swept(folder)
        try:
            part.write_bytes(model)
            part.replace(folder / name)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        problem = f"the quantized model cannot be saved ({error.strerror or error})"
        hint = "set ASSAY_CACHE to a writable folder"
        raise InputError(problem, where=str(folder), hint=hint) from None


def _swept(folder: Path) -> None:
    """Remove what processes left that were killed while they wrote."""
    for part in folder.glob(".*.part"):
        with suppress(FileNotFoundError):  # another process was faster
            if time.time() - part.stat().st_mtime > ABANDONED_S:
                part.unlink()
