"""Words for people: sanitized, quoted, counted, joined, wrapped, shortened, and near misses."""

from assay.text.conceal import conceal, forget_secrets, forms_of, keep_secret
from assay.text.json_sanitized import json_sanitized
from assay.text.sanitize import one_line, sanitize
from assay.text.screen import Screen, trusted
from assay.text.truncate import truncate

__all__ = [
    "Screen",
    "conceal",
    "forget_secrets",
    "forms_of",
    "json_sanitized",
    "keep_secret",
    "one_line",
    "sanitize",
    "truncate",
    "trusted",
]
