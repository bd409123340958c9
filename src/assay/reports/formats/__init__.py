"""Table -> file. One file per format; its name is the extension that picks it."""
