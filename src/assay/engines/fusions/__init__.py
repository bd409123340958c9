"""How do several rankings become one? One file per fusion."""

from assay.engines.fusions._shape import Fusion

__all__ = ["Fusion"]
