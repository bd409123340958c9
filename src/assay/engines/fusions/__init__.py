"""Several rankings -> one. One file per fusion."""

from assay.engines.fusions._shape import Column, Fusion

__all__ = ["Column", "Fusion"]
