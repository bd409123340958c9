"""Records -> text: tables first, then one file per format."""
