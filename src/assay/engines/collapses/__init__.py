"""Scores of chunks -> the score of their document. One file per rule."""
