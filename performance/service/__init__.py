"""A service as real processes -> how far behind progress is, how fast lists are, what it costs."""
