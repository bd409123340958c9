"""Spreadsheets -> queries: which column holds what, cells, and the rows of one query."""
