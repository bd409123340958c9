"""Judgment file -> rows of query, document and grade. One file per format."""
