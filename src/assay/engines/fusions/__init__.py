"""Several rankings -> one. One file per fusion."""

from assay.engines.fusions._shape import Fusion

__all__ = ["Fusion"]
