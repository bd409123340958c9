"""A mapping of settings -> a configuration in which each setting takes effect."""
