"""Which paths of a folder are documents: patterns, and the rules of .gitignore files."""
