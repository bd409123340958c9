"""A ledger that changes -> what viewers see of it while it does. One thread looks for all."""
