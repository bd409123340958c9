"""Indexes of words: a query's terms -> the chunks that have them. One file per engine."""
