"""Vectors as they are kept: packed into bytes, brought to length 1, scanned for cosines."""
