"""Settings that name variables of the environment: ``${NAME}``, or ``${NAME:-default}``."""

import os
import re

from assay.errors import InputError
from assay.text import keep_secret

__all__ = ["is_named", "looked_up", "shown", "without_variables"]

NAMED = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def looked_up(text: str, *, where: str) -> str:
    """Replace variables by their values; a variable that is neither set nor has a default fails."""

    def value(match: re.Match[str]) -> str:
        name, default = match.groups()
        found = os.environ.get(name) or default
        keep_secret(name, os.environ.get(name) or "")
        if found is None:
            hint = f"set it before the run: export {name}=..."
            raise InputError(f"the environment variable {name} is not set", where=where, hint=hint)
        return str(found)

    return NAMED.sub(value, text)


def shown(text: str) -> str:
    """Write a text as a message may have it: defaults are put in, what is set stays a name."""

    def write(match: re.Match[str]) -> str:
        name, default = match.groups()
        return str(default) if default is not None and not os.environ.get(name) else f"${{{name}}}"

    return NAMED.sub(write, text)


def without_variables(text: str) -> str:
    """Leave only what the text itself says, defaults included."""
    return NAMED.sub(lambda match: match[2] or "", text)


def is_named(text: str) -> bool:
    """Tell whether a text takes anything from the environment."""
    return NAMED.search(text) is not None
