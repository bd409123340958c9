"""Configurations of a request -> what must not be opened of them, and the request without it."""

from collections.abc import Mapping
from typing import Any

from assay.errors import AssayError, InputError, ProblemsError
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workflows.service.allowed import Allowed

__all__ = ["is_about_refused", "without_refused"]

# A setting that nobody knows: it keeps a configuration from being combined with others, as each
# wrong setting does, so that the rest of the request can be checked.
REFUSED = "(refused)"
ENOUGH = 1_000  # problems after which nothing more is looked for
AND_MORE = f"there may be more problems: the check stopped after {ENOUGH:,}"


def without_refused(
    request: Mapping[str, Any], allowed: Allowed
) -> tuple[dict[str, Any], list[InputError]]:
    """Replace the settings that are unknown or not allowed, and say what is wrong with each.

    What is left can be read: it names nothing that the service must not open.
    """
    left, found = dict(request), list[InputError]()
    given = request.get("configurations")
    if isinstance(given, list):
        left["configurations"] = [
            _checked(one, f"configurations[{at}]", allowed, found) for at, one in enumerate(given)
        ]
    left["matrix"] = _checked(request.get("matrix"), "matrix", allowed, found)
    theirs = request.get("config_matrix")
    if isinstance(theirs, Mapping) and (wrong := _not_allowed("config_matrix", theirs, allowed)):
        found += wrong
        left["config_matrix"] = None
        instead = {"name": REFUSED, REFUSED: 0}
        left["configurations"] = [*(left.get("configurations") or ()), instead]
    if any("name" in one.where.split(", ") or "config_matrix" in one.where for one in found):
        left["baseline"] = None  # it may be one whose name is not known
    return left, found


def is_about_refused(problem: AssayError) -> bool:
    """Tell whether a problem of reading is what `without_refused` has put into a request."""
    return REFUSED in problem.where


def _checked(given: object, where: str, allowed: Allowed, found: list[InputError]) -> object:
    """Return a configuration without the settings that are refused."""
    if not isinstance(given, Mapping):
        return given
    left = {}
    for name, value in given.items():
        wrong = _unknown(str(name), where) or _not_allowed(where, {name: value}, allowed)
        found += wrong
        if len(found) >= ENOUGH:
            raise ProblemsError(found, where="benchmark", then=AND_MORE)
        left[name if not wrong else REFUSED] = value if not wrong else 0
    if REFUSED in left and "name" in given and "name" not in left:
        left["name"] = where
    return left


def _unknown(name: str, where: str) -> list[InputError]:
    from assay.searches.configuration.settings import SETTINGS

    if name in (*SETTINGS, "name"):
        return []
    hint = did_you_mean(name, [*SETTINGS])
    return [InputError(f"unknown setting {quote_value(name)}", where=where, hint=hint)]


def _not_allowed(where: str, settings: Mapping[str, Any], allowed: Allowed) -> list[InputError]:
    try:
        allowed.refuse_settings(where, settings)
    except ProblemsError as error:
        return [*error.problems]
    return []
