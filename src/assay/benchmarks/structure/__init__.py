"""Runs with structure-aware ranking -> the effect of coherence."""
