"""A report -> the files that are written of it."""
