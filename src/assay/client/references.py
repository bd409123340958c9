"""A reference to a document -> JSON, as the service reads it."""

from dataclasses import asdict

from assay.records.dataset import Reference

__all__ = ["write_reference"]


def write_reference(reference: str | Reference) -> str | dict[str, str]:
    """Write a bare name, or the keys that a reference has.

    >>> write_reference(Reference(path="docs/setup.md", symbol="main"))
    {'path': 'docs/setup.md', 'symbol': 'main', 'match': 'exact'}
    """
    if isinstance(reference, str):
        return reference
    if reference.name:
        return reference.name
    return {key: value for key, value in asdict(reference).items() if value}
