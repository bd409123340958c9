"""One file per command: the product seen as verbs, from Python and from the shell."""
