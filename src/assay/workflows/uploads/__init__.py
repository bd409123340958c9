"""A benchmark of files -> uploads of its datasets -> what is in them, or all that is wrong."""
