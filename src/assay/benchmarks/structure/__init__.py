"""Runs with structure-aware ranking -> what structure is worth."""
