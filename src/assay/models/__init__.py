"""Texts -> vectors, pairs -> scores: embedded models, and those that run elsewhere."""
