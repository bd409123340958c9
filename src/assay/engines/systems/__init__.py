"""Searches of others, asked as they are. One file per kind of system."""
