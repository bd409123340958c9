"""Runs -> comparisons, verdicts and a recommendation."""
