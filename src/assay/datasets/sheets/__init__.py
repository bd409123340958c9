"""Spreadsheets -> queries: which column holds what, cells, and rows that belong together."""
