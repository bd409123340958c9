"""Programming languages that can be parsed. One file per language."""

from assay.corpora.languages._shape import Language

__all__ = ["Language"]
