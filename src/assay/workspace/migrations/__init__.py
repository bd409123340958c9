"""How a ledger of an older Assay becomes one of this Assay: one file per step, run by alembic."""
