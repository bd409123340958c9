"""Vectors -> a number that tells how well they can be searched. One file per figure."""
