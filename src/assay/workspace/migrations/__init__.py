"""How a ledger of an older Assay becomes one of this Assay: one file per step.

Alembic runs them; a step that was published is never changed.
"""
