"""JSON and YAML text -> values, with nothing in doubt."""
