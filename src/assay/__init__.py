"""Which search configuration to ship, and how sure you can be."""

from importlib import import_module

__version__ = "0.1.0.dev0"
__all__ = [
    "Dataset",
    "Judgments",
    "Rankings",
    "audit",
    "compare",
    "evaluate",
    "load_dataset",
    "resolve",
    "run",
]

_HOMES = {
    "Dataset": "assay.records",
    "Judgments": "assay.records",
    "Rankings": "assay.records",
    "audit": "assay.workflows.audit",
    "compare": "assay.workflows.compare",
    "evaluate": "assay.workflows.evaluate",
    "load_dataset": "assay.workflows.load_dataset",
    "resolve": "assay.workflows.resolve",
    "run": "assay.workflows.run",
}


def __getattr__(name: str) -> object:
    """Import a verb when it is first used: `import assay` itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
