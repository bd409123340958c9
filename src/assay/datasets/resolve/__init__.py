"""References of a dataset, documents of a corpus -> which documents are meant, as judgments."""
