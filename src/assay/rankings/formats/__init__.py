"""Run file -> rows of query, document and score. One file per format."""
