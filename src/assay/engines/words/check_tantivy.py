"""Whether tantivy is there, whose stemmers all engines use: the extra ``search`` brings it."""

from importlib.util import find_spec

from assay.errors import InputError
from assay.extras import install_command

__all__ = ["check_tantivy"]


def check_tantivy() -> None:
    """Say what to install if tantivy is missing."""
    if find_spec("tantivy") is None:
        problem = "lexical search requires tantivy: all engines use its stemmer"
        raise InputError(problem, hint=install_command("search"))
