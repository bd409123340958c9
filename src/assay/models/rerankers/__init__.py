"""Models that judge a text for a query. One file per kind; its name is the word that picks it."""
