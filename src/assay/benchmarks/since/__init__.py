"""Two reports -> what changed between them."""
