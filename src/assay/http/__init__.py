"""A request -> the answer of a server that may be slow, busy or gone."""
