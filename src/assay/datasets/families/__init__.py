"""Seed -> a dataset whose truth is known by the way it was made. One file per family."""
