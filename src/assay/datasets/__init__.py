"""File -> a dataset: queries, and what people judged."""
