"""A sitting of a judge -> lines for a terminal of any size."""
