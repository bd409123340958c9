"""A file's bytes -> its text, page by page. One file per ending; its libraries are an extra."""

from assay.corpora.converters._shape import ConvertedFile, Converter, UnreadableError

__all__ = ["ConvertedFile", "Converter", "UnreadableError"]
