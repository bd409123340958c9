"""A benchmark -> what it will do, and how long and how much space that takes."""
