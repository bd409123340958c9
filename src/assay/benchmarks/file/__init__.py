"""A file -> a benchmark: configurations, datasets, what is measured and decided."""
