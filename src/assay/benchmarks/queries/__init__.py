"""Queries -> what is known of each: type, difficulty, cluster."""
