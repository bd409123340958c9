"""An answer -> JSON for programs, lines for people."""
