"""Models that turn texts into vectors. One file per kind; its name is the word that picks it."""
