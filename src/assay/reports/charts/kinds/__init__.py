"""Report -> chart, or None where there is nothing to draw. One file per chart."""
