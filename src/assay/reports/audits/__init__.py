"""Audits of datasets -> a headline, sections and JSON. One file per view."""
