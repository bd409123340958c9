"""Results -> text on the screen or in files: tables, notes, progress, keys."""
