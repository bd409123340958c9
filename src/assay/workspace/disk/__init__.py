"""SQLite files and folders: opened, created, locked, and what can go wrong."""
