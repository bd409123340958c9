"""The state of a workspace -> a table and JSON."""
