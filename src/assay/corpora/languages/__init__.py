"""Which programming languages can be taken apart. One file per language."""

from assay.corpora.languages._shape import Language

__all__ = ["Language"]
