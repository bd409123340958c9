"""Looks at an index -> a headline, lines, a table and JSON. One file per view."""
