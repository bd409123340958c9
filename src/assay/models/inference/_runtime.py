"""onnxruntime, imported so that it sends nothing anywhere."""

import os
from types import ModuleType

__all__ = ["runtime"]


def runtime() -> ModuleType:
    """Import onnxruntime with its telemetry off; every use of it begins here.

    Since 1.31 the import itself looks up a host and queues events in the home folder; only the
    variable, set before it, prevents that. The call is for a program that imported it before us.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # type: ignore[import-untyped]

    if hasattr(onnxruntime, "disable_telemetry_events"):
        onnxruntime.disable_telemetry_events()
    module: ModuleType = onnxruntime
    return module
