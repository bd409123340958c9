"""Whether tantivy is there: the extra ``search`` brings it."""

from importlib.util import find_spec

from assay.errors import InputError

__all__ = ["check_installed"]


def check_installed() -> None:
    """Say what to install if tantivy is missing."""
    if find_spec("tantivy") is None:
        hint = "pip install 'assay-search[search]' (or '.[search]' in a clone)"
        raise InputError("searching by words needs tantivy", hint=hint)
