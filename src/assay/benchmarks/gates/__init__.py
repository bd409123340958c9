"""Two reports and a list of checks -> what passes, fails, or cannot be decided."""
