"""Seed -> a synthetic dataset whose relevant documents are known. One file per family."""
