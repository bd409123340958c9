"""The effect of coherence -> tables, lines and JSON. One file per view."""
