"""Sources -> documents: a folder, a git revision, a file of records, documents at hand."""
