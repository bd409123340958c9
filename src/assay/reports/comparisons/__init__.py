"""Comparisons -> tables and JSON. One file per view."""
