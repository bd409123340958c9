"""How do the scores of chunks become the score of their document? One file per way."""
