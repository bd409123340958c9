"""What the service answers: a module per subject, found by its name."""
