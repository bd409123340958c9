"""Which search configuration to ship, and how sure you can be."""

from importlib import import_module

__version__ = "0.1.0.dev0"
__all__ = [
    "Configuration",
    "Dataset",
    "Document",
    "Judgments",
    "Rankings",
    "audit",
    "bless",
    "compare",
    "compare_reports",
    "demo",
    "diff",
    "evaluate",
    "gate",
    "health",
    "index",
    "init",
    "judge",
    "load_dataset",
    "plan",
    "plot",
    "report",
    "resolve",
    "run",
    "search",
    "show",
    "uplift",
]

_HOMES = {
    "Configuration": "assay.records",
    "Dataset": "assay.records",
    "Document": "assay.records",
    "Judgments": "assay.records",
    "Rankings": "assay.records",
    "audit": "assay.workflows.audit",
    "bless": "assay.workflows.bless",
    "compare": "assay.workflows.compare",
    "compare_reports": "assay.workflows.compare_reports",
    "demo": "assay.workflows.demo",
    "diff": "assay.workflows.diff",
    "evaluate": "assay.workflows.evaluate",
    "gate": "assay.workflows.gate",
    "health": "assay.workflows.health",
    "index": "assay.workflows.index",
    "init": "assay.workflows.init",
    "judge": "assay.workflows.judge",
    "load_dataset": "assay.workflows.load_dataset",
    "plan": "assay.workflows.plan",
    "plot": "assay.workflows.plot",
    "report": "assay.workflows.report",
    "resolve": "assay.workflows.resolve",
    "run": "assay.workflows.run",
    "search": "assay.workflows.search",
    "show": "assay.workflows.show",
    "uplift": "assay.workflows.uplift",
}


def __getattr__(name: str) -> object:
    """Import a command when it is first used: `import assay` itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
