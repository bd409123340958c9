"""What structure is worth -> tables, lines and JSON. One file per view."""
