"""What a request names -> whether the list of an administrator allows it."""
