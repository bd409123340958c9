"""Datasets and corpora -> open collections: queries, documents, and which of them are relevant."""
