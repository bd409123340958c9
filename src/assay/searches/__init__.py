"""A corpus and a configuration -> a search that can be asked."""
