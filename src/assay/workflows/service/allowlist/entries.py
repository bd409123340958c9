"""An entry of the list of what is allowed -> why it can never match, or what is missing now."""

import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from assay import catalogue
from assay.errors import UsageError
from assay.http.connections import parse_server
from assay.searches.configuration.nested_settings import is_store, system_kinds
from assay.text.near_miss import did_you_mean, near_miss
from assay.text.quote import quote_value

__all__ = ["ALLOWED_KINDS", "OUTSIDE", "find_missing", "split_entry"]

FORMS = {
    "corpus": "corpus=FOLDER",
    "model": "model=NAME",
    "http": "http=ADDRESS",
    "callable": "callable=MODULE:FUNCTION",
    "run_file": "run_file=FOLDER",
    "store": "store=KIND",
}
ALLOWED_KINDS = tuple(FORMS)
OUTSIDE = ("callable", "http", "run_file")  # kinds of systems with checks of their own
FUNCTION = re.compile(r"(?:[^\W\d]\w*(?:\.[^\W\d]\w*)*|.+\.py):[^\W\d]\w*(?:\.[^\W\d]\w*)*")
PATTERN = frozenset("*?[")
PLACE = frozenset("/\\.:")  # a text with one of these may be an address or a path


def split_entry(entry: str) -> tuple[str, str]:
    """Split KIND=VALUE; UsageError for an entry that can never match.

    >>> split_entry("corpus=/srv/docs")
    ('corpus', '/srv/docs')
    """
    kind, _, value = (part.strip() for part in entry.partition("="))
    if kind not in ALLOWED_KINDS:
        close = near_miss(kind, ALLOWED_KINDS)
        forms = FORMS[close] if close else f"one of: {', '.join(FORMS.values())}"
        folder = f", e.g. --allow corpus={kind}" if kind and "=" not in entry and not close else ""
        raise _refused(entry, f"expected {forms}{folder}")
    hint = _CHECKS[kind](value) if value and kind in _CHECKS else ""
    if not value or hint:
        raise _refused(entry, hint or f"expected {FORMS[kind]}")
    return kind, value


def find_missing(kind: str, value: str) -> tuple[str, str]:
    """Return what an entry names that is not there now, and a hint; it may appear later.

    >>> find_missing("callable", "nowhere_at_all:search")[0]
    'there is no module nowhere_at_all'
    """
    if kind in ("corpus", "run_file") and not Path(value).expanduser().is_dir():
        return f"no such folder: {value}", f"create it, or correct --allow {FORMS[kind]}"
    if kind == "callable":
        module = value.rpartition(":")[0]
        if module.endswith(".py"):
            found, what = Path(module).is_file(), "file"
        else:  # a parent alone: to find what is within, its code would run
            module = module.partition(".")[0]
            found, what = find_spec(module) is not None, "module"
        hint = "install it for the service, or correct --allow callable=MODULE:FUNCTION"
        return ("", "") if found else (f"there is no {what} {module}", hint)
    if kind == "model" and not _is_model(value):
        hint = did_you_mean(value, _models(), otherwise="use the name that requests have")
        return f"the model {quote_value(value)} is not known", hint
    return "", ""


def _refused(entry: str, hint: str) -> UsageError:
    shown = entry if "@" not in entry else f"{entry.partition('=')[0]}=..."  # it may be a password
    return UsageError(f"--allow: invalid value {quote_value(shown)}", hint=hint)


def _http(value: str) -> str:
    parts = parse_server(value)
    if parts is None:
        return "expected an address with http:// or https://, e.g. http=http://localhost:9200"
    return "remove user name and password" if parts.username is not None else ""


def _callable(value: str) -> str:
    return "" if FUNCTION.fullmatch(value) else f"expected {FORMS['callable']}"


def _store(value: str) -> str:
    """Refuse a word that is no kind of a database; an address or a path names one of a kind."""
    if is_store({"kind": value}) or PLACE & {*value}:
        return ""
    return did_you_mean(value, [one for one in system_kinds() if one not in OUTSIDE])


_CHECKS: dict[str, Callable[[str], str]] = {"http": _http, "callable": _callable, "store": _store}


def _is_model(value: str) -> bool:
    """Tell whether a name may be one: of a catalogue, of a server, of a hub, or of a folder."""
    server, colon, _ = value.partition(":")
    if PATTERN & {*value} or (server if colon else value) in _models():
        return True
    return Path(value).expanduser().is_dir() or ("/" in value and not Path(value).is_absolute())


def _models() -> list[str]:
    from assay.models import embedders, rerankers

    names = [*catalogue.files(embedders), *catalogue.files(rerankers)]
    return list(dict.fromkeys([*names, *(one.replace("_", "-") for one in names)]))
