"""Lines of a text file -> arrays of fields, names and numbers, many rows at a time."""
