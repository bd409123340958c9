"""Work that waits in the ledger -> work that is done. One file per kind of job."""
