"""What is kept on disk: the ledger, stage outputs, indexes, cached vectors."""
