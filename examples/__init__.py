"""Small, real examples that the project makes itself."""
