"""Rank candidates by what they are near to: graph, solve, gates, receipt, controls."""
