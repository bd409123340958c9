"""Files of vectors that users bring -> vectors by the ids of documents and queries."""
