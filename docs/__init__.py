"""Documentation, and the program that writes its reference pages."""
