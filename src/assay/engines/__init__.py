"""Chunks and queries -> what is found: lexical and dense indexes, fusions and stages."""
