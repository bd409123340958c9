"""Test sets that come with Assay, each a JSON file of graded queries."""
