"""What happens to a query, step after step? One file per stage."""

from assay.engines.stages._step import Step

__all__ = ["Step"]
