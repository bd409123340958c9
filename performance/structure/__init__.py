"""A tree of source -> figures about its structure: folders, imports, names, cycles."""
