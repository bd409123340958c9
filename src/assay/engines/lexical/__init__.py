"""Indexes of words: a query's terms -> the chunks that have them. One file per engine."""

from assay.engines.words.tokens import VERSION as TOKENS

__all__ = ["TOKENS"]
