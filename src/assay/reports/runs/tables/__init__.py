"""Report -> tables. One file per view."""
