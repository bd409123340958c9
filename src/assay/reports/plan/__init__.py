"""What a benchmark will cost -> lines and JSON."""
