"""Configurations x queries -> stored outputs: which units of work there are, and doing them."""
