"""Lessons of a report -> tables, each below a sentence. One file per table."""
