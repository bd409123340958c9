"""Where documents come from. One file per kind of source; its name is the word that picks it."""
