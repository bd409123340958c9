"""Which work a benchmark consists of, who does it, and what was recorded of it: one database."""
