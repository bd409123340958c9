"""Scores x scores -> how sure: intervals, tests, corrections, power. One file per idea."""
