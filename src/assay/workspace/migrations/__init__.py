"""Ledger of an older version -> one of this version. One file per step.

Alembic runs them; a step that was published is never changed.
"""
