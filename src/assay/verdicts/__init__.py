"""Comparison -> verdict. One file per rule."""
