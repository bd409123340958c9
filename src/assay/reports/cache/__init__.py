"""What a workspace holds -> tables and JSON."""
