"""An index on disk: documents, chunks, vectors and engine files that change together."""
