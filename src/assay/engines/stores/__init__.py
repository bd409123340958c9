"""Which database is filled and then searches by itself? One file per kind of store."""
