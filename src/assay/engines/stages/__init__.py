"""Query and what was found -> what is found next: stages of a search. One file per stage."""

from assay.engines.stages._step import Step

__all__ = ["Step"]
