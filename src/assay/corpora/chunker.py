"""A chunker's name and settings -> the chunker."""

import inspect
from collections.abc import Callable
from typing import cast

from assay.catalogue import find
from assay.corpora import chunkers
from assay.errors import InputError
from assay.records import Chunker

__all__ = ["chunker"]


def chunker(name: str, **settings: object) -> Chunker:
    """Make the chunker of a name; a setting that it does not have is an error."""
    make = cast("Callable[..., Chunker]", find(chunkers, name))
    accepted = list(inspect.signature(make).parameters)
    for key in settings:
        if key not in accepted:
            raise _unknown(name, key, accepted)
    return make(**settings)


def _unknown(name: str, key: str, accepted: list[str]) -> InputError:
    import difflib  # only a wrong setting needs it

    close = difflib.get_close_matches(key, accepted, n=1)
    offered = f"it has: {', '.join(accepted)}" if accepted else "it has no settings"
    hint = f'did you mean "{close[0]}"?' if close else offered
    return InputError(f'has no setting "{key}"', where=f"chunker {name}", hint=hint)
