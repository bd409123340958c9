"""Report -> picture. One file per chart in ``kinds``; its name is what people type."""
