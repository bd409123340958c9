"""File -> what people judged."""
