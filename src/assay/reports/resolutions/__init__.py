"""Resolutions -> tables, sentences and JSON. One file per view."""
