"""Where a model computes: ``cpu``, ``cuda``, or ``auto`` for cuda where there is one."""

import os
from collections.abc import Sequence
from functools import cache

from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["CPU", "CUDA", "DEVICES", "check_device", "gpu_name", "no_cuda", "providers_for"]

DEVICES = ("cpu", "cuda", "auto")
RUNTIME = "onnxruntime-gpu[cuda,cudnn] in place of onnxruntime"
CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


def check_device(device: str, *, where: str) -> None:
    """Refuse the name of a device that is none of ours."""
    if device not in DEVICES:
        hint = f"expected one of: {', '.join(DEVICES)}"
        raise InputError(f"unknown device {quote_value(device)}", where=where, hint=hint)


def providers_for(device: str, offered: Sequence[str], *, where: str) -> list[str]:
    """Choose the execution providers of onnxruntime for a device, out of those that it offers."""
    check_device(device, where=where)
    if device == "cuda" and CUDA not in offered:
        raise no_cuda(f"onnxruntime offers only {', '.join(offered)}", where=where)
    return [CUDA, CPU] if device != "cpu" and CUDA in offered else [CPU]


def no_cuda(why: str, *, where: str, needs: str = RUNTIME) -> InputError:
    """Say that there is no GPU to compute on, and what one would need."""
    hint = f"install {needs} and the driver of the GPU, or use device: cpu or auto"
    return InputError(f"device: cuda is not available: {why}", where=where, hint=hint)


@cache
def gpu_name() -> str:
    """Name the first GPU that this process may use, as its driver does; else "unknown GPU"."""
    import shutil
    import subprocess

    program = shutil.which("nvidia-smi")
    if program is None:
        return "unknown GPU"
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "").partition(",")[0] or "0"
    command = [program, "--query-gpu=name", "--format=csv,noheader", "-i", first]
    try:
        asked = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown GPU"
    return asked.stdout.strip().partition("\n")[0] or "unknown GPU"
