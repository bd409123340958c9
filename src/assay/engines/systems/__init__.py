"""Which search of somebody else is asked? One file per kind of system."""
