"""Datasets that come with Assay, by file name."""
