"""Damaged and hostile inputs -> what the command line does with them, by seed."""
