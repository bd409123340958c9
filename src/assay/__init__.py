"""Which search configuration to ship, and how sure you can be."""
