"""What the administrator of a service allows requests to name: places, models, systems."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from assay import catalogue
from assay.corpora.paths import split_revision
from assay.errors import InputError, ProblemsError
from assay.text.join_list import join_list
from assay.text.quote import quote_value
from assay.workflows.service.allowlist.entries import (
    ALLOWED_KINDS,
    OUTSIDE,
    find_missing,
    split_entry,
)
from assay.workflows.service.allowlist.places import is_inside, refuse_process_path

__all__ = ["Allowed"]

OWN_CORPORA = ("stdlib", "dataset")  # sources that read nothing from the disk of the server
PATHS = ("path", "folder", "jsonl", "git", "repository")  # keys of a corpus that name a place
READ_DIRECTLY = ("folder", "jsonl")  # sources that ask no other program
UNSAFE = ("vectors", "collections")  # keys of a corpus that name further places
# Kinds of models that open a folder, or ask a server; they have to be allowed by name.
NOT_SHIPPED = ("given", "ollama", "onnx", "openai", "sentence_transformers")
ENVIRONMENT = re.compile(r"\$\{|\$[A-Z_]")
BEIR = ("corpus.jsonl", "corpus.jsonl.gz")  # which are read in place of a folder that has one


class Allowed:
    """The list of an administrator, of entries such as ``corpus=/srv/docs``.

    A ``corpus`` and a ``run_file`` are folders: what lies in them may be read. A ``model`` is a
    name, a folder or a pattern (``ollama:*``), ``http`` the start of an address, ``callable`` one
    function as MODULE:NAME, and ``store`` a kind of database, or the ``url`` or ``path`` of one.
    What comes with Assay needs no entry.

    >>> Allowed(["corpus=/srv/docs"]).corpora
    (PosixPath('/srv/docs'),)
    """

    def __init__(self, entries: Iterable[str] = ()) -> None:
        self._entries: dict[str, list[str]] = {kind: [] for kind in ALLOWED_KINDS}
        for entry in entries:
            kind, value = split_entry(entry)
            self._entries[kind].append(value)

    @property
    def corpora(self) -> tuple[Path, ...]:
        """The folders that corpora may be in."""
        return self._folders("corpus")

    @property
    def places(self) -> tuple[str, ...]:
        """The entries for folders, with whole paths: those that a worker checks again."""
        kinds = ("corpus", "run_file")
        return tuple(f"{kind}={one}" for kind in kinds for one in self._folders(kind))

    def missing(self) -> list[tuple[str, str]]:
        """List what the entries name and is not there now, each with a hint."""
        pairs = ((kind, one) for kind, listed in self._entries.items() for one in listed)
        return [found for kind, one in pairs if (found := find_missing(kind, one))[0]]

    def refuse_corpus(self, where: Mapping[str, Any]) -> None:
        """Refuse a corpus that is outside of the allowed folders."""
        for key in UNSAFE:
            if key in where:
                raise InputError(f"{key} cannot be set here", where="corpus", hint="remove it")
        if where.get("source") in OWN_CORPORA and not any(key in where for key in PATHS):
            return
        places = [where[key] for key in PATHS if key in where]
        if places == ["stdlib"] and "source" not in where:
            return
        if len(places) != 1 or not isinstance(places[0], str):
            hint = 'expected one place, e.g. {"path": "/srv/docs"}'
            raise InputError("the location is missing", where="corpus", hint=hint)
        place = _as_opened(where, places[0])
        self._refuse_place("corpus", place, "corpus", git=_is_git(where))

    def refuse_run_file(self, system: object) -> None:
        """Refuse a run file that is outside of the allowed folders; other systems pass."""
        if _of(system, "kind") == "run_file":
            self._refuse_run_file(system)

    def refuse_settings(self, name: str, settings: Mapping[str, Any]) -> None:
        """Refuse what a configuration must not name; all of it is reported together."""
        found = [*self._problems(name, settings)]
        if found:
            raise ProblemsError(found, where=name)

    def _problems(self, name: str, settings: Mapping[str, Any]) -> Iterator[InputError]:
        checks = {"model": self._refuse_model, "rerank": self._refuse_model}
        checks |= {"stop_words": _refuse_file, "synonyms": _refuse_file}
        for key, value in settings.items():
            for one in _flat(value, key):
                try:
                    _refuse_environment(one)
                    if key in checks:
                        checks[key](key, one)
                    elif key == "system" and one is not None:
                        self._refuse_system(one)
                except InputError as error:
                    where = f"{name}, {error.where or key}"
                    yield InputError(error.problem, where=where, hint=error.hint)

    def _refuse_model(self, key: str, value: object) -> None:
        """Refuse a model that does not come along and is not allowed by name."""
        if not isinstance(value, str):
            return
        from assay.models import embedders, rerankers

        package = embedders if key == "model" else rerankers
        shipped = [one for one in catalogue.files(package) if one not in NOT_SHIPPED]
        spelt = [*shipped, *(one.replace("_", "-") for one in shipped), "none"]
        if value in spelt or any(fnmatchcase(value, one) for one in self._entries["model"]):
            return
        hint = f"available: {join_list(shipped)}; the administrator can add --allow model=NAME"
        raise InputError(f"{key} {quote_value(value)} is not allowed", where=key, hint=hint)

    def _refuse_system(self, system: object) -> None:
        kind = system.get("kind") if isinstance(system, Mapping) else None
        for one in _flat(kind, "kind") or [None]:
            if one in OUTSIDE:
                getattr(self, f"_refuse_{one}")(system)
            else:
                self._refuse_store(one, system)
        for model in _flat(_of(system, "model"), "model"):
            self._refuse_model("model", model)

    def _refuse_store(self, kind: object, system: object) -> None:
        """Refuse a database that is not listed, and a server or a folder that is not listed too."""
        if kind not in self._entries["store"]:
            raise _not_allowed(f"a system of kind {quote_value(kind)}", "store=KIND")
        for key in ("path", "url"):
            places = _flat(_of(system, key), key)
            if any(one not in self._entries["store"] for one in places):  # it may hold a password
                raise _not_allowed(f"the {key} of a system", f"store={key.upper()}")

    def _refuse_run_file(self, system: object) -> None:
        for place in _flat(_of(system, "path"), "path") or [None]:
            self._refuse_place("run_file", place, "system.path")

    def _refuse_callable(self, system: object) -> None:
        """Refuse a function that is not listed: it is code that the service would run."""
        for given in _flat(_of(system, "function"), "function") or [None]:
            if given not in self._entries["callable"]:
                raise _not_allowed(f"the function {quote_value(given)}", "callable=MODULE:NAME")

    def _refuse_http(self, system: object) -> None:
        from assay.http.targets import refuse_target

        for given in _flat(_of(system, "url"), "url") or [None]:
            if not isinstance(given, str):
                raise _not_allowed(f"the address {quote_value(given)}", "http=ADDRESS")
            refuse_target(given, allowed=tuple(self._entries["http"]))
        for headers in _flat(_of(system, "headers"), "headers"):
            if isinstance(headers, Mapping) and any(str(one).lower() == "host" for one in headers):
                hint = "remove it: the address says which host is meant"
                raise InputError("the header Host cannot be set here", where="system", hint=hint)

    def _refuse_place(self, kind: str, place: object, where: str, *, git: bool = False) -> None:
        """Refuse a path outside of the allowed folders, also through links and `..`."""
        refuse_process_path(place, where=where)
        files = BEIR if kind == "corpus" else ()
        if not is_inside(place, self._folders(kind), files=files, git=git):
            raise _not_allowed(f"the place {_shown(place)}", f"{kind}=FOLDER", where=where)

    def _folders(self, kind: str) -> tuple[Path, ...]:
        return tuple(Path(one).expanduser().absolute() for one in self._entries[kind])


def _not_allowed(what: str, option: str, *, where: str = "system") -> InputError:
    hint = f"the administrator of the service can add --allow {option}"
    return InputError(f"{what} is not allowed", where=where, hint=hint)


def _as_opened(where: Mapping[str, Any], place: str) -> str:
    """Return the folder that a corpus is read from, as `open_corpus` finds it in a text."""
    bare = not where.get("source") and any(key in where for key in ("path", "repository"))
    if not bare or not place.startswith("git:"):
        return place
    with suppress(OSError, ValueError):  # of a name that is too long: nobody can open it
        return split_revision(place.removeprefix("git:"), Path())[0]
    return ""


def _is_git(where: Mapping[str, Any]) -> bool:
    """Tell whether a corpus may be read by git."""
    source, places = where.get("source"), (where.get(key) for key in ("path", "repository"))
    if source:
        return source not in READ_DIRECTLY
    return "git" in where or any(str(one).startswith("git:") for one in places)


def _shown(place: object) -> str:
    """Write a place; one that is an address may hold a password."""
    return "(hidden)" if "://" in str(place) else quote_value(place)


def _refuse_file(key: str, value: object) -> None:
    """Refuse words and rules that are files of the server: a text alone is one, unless a name."""
    from assay.searches.configuration.word_lists import NAMES

    if isinstance(value, Mapping) or (isinstance(value, str) and value not in NAMES):
        hint = "give a list of words or rules, e.g. [the, of] or [[car, automobile]]"
        raise InputError("files cannot be named here", where=key, hint=hint)


def _refuse_environment(value: object) -> None:
    """Refuse texts in which variables of the server's environment would be put in."""
    if isinstance(value, str) and ENVIRONMENT.search(value):
        hint = "write the value itself"
        raise InputError("variables cannot be used here", hint=hint)
    if isinstance(value, Mapping):
        for key, one in value.items():
            _refuse_environment(str(key))
            _refuse_environment(one)
    if isinstance(value, list | tuple):
        for one in value:
            _refuse_environment(one)


def _of(system: object, key: str) -> object:
    return system.get(key) if isinstance(system, Mapping) else None


def _flat(value: object, key: str) -> list[Any]:
    """Return the values of a setting whose list multiplies; a list of words or rules is one."""
    from assay.searches.configuration.word_lists import is_one_list

    if is_one_list(key, value) or value is None:
        return []
    return value if isinstance(value, list) else [value]
