"""Report <-> JSON, by the schema that is published."""
