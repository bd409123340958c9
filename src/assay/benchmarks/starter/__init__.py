"""A folder -> a benchmark file to start with."""
