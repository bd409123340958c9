"""Which files a call means: those that define its name where the calling file can see it."""

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from assay.datasets.families._imports import Imports, last_part, levels_up

__all__ = ["RepositoryDefinition", "called_definitions", "parts"]

PACKAGES = ("go", "java")  # files of one folder see each other without an import
HUBS = ("__init__", "index", "mod", "lib", "main")  # files that stand for their folder
DISTINCTIVE = re.compile(r"(?=.{8})(?:[a-zA-Z0-9]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)$")
# Methods that objects of the languages themselves have: a call may well mean those.
BUILT_IN = {
    *(name for kind in (bytes, dict, float, int, list, set, str) for name in dir(kind)),
    *("addEventListener", "appendChild", "charCodeAt", "codePointAt", "createElement"),
    *("getBytes", "getClass", "getElementById", "getUint8", "hasOwnProperty", "hashCode"),
    *("querySelector", "readUInt8", "removeChild", "removeEventListener", "replaceAll"),
    *("setAttribute", "startsWith", "endsWith", "toISOString", "toLowerCase", "toString"),
    *("toUpperCase", "writeUInt8", "computeIfAbsent", "containsKey", "containsValue"),
    *("entrySet", "equalsIgnoreCase", "getMessage", "getOrDefault", "hasNext", "keySet"),
    *("lastIndexOf", "parallelStream", "putIfAbsent", "stackTrace", "valueOf"),
    *("as_bytes", "as_slice", "as_deref", "and_then", "filter_map", "flat_map", "from_str"),
    *("get_or_insert_with", "into_iter", "is_empty", "map_err", "ok_or_else", "or_insert"),
    *("or_default", "push_str", "read_line", "read_to_string", "starts_with", "ends_with"),
    *("split_whitespace", "to_lowercase", "to_owned", "to_string", "to_uppercase", "to_vec"),
    *("trim_end", "trim_start", "try_into", "unwrap_or", "unwrap_or_else", "with_capacity"),
    *("unwrap_or_default", "write_all", "ReadString", "WriteString", "ReadFrom", "WriteTo"),
}


class RepositoryDefinition(NamedTuple):
    """A definition: its file, its qualified name, and its lines."""

    path: str
    name: str
    first: int
    last: int

    @property
    def outermost(self) -> bool:
        """Whether it is in no other definition."""
        return "." not in self.name


def parts(called: str) -> list[str]:
    """Take a called name apart: ``json.loads``, ``Vec::new``."""
    return [part for part in re.split(r"[^\w$]+", called) if part] or [called]


def called_definitions(
    called: str,
    path: str,
    language: str,
    imported: Imports,
    definitions: Sequence[RepositoryDefinition],
) -> list[RepositoryDefinition]:
    """Choose among the definitions of a call's last name those that the call can mean.

    A name alone must be imported from a file or folder that defines it, or be of the same package.
    A name behind another one must be defined in a file, folder or class of that other name; where
    the other is an object, whose class nobody knows without running the code, only a distinctive
    method of one class counts.
    """
    *before, name = parts(called)
    if not before:
        if name in imported.names:
            module = imported.names[name]
            return _nearest(module, path, _in_reach(module, path, definitions))
        return [d for d in definitions if d.outermost and _same_package(d.path, path, language)]
    owner = ".".join([*before[:-1], imported.modules.get(before[-1], before[-1])])
    owned = _nearest(owner, path, definitions)
    if owned or before[-1] in imported.modules:
        return owned
    found = _one_method(definitions)
    if language == "java":  # the library's own classes have methods with any such name
        found = [d for d in found if _resembles(before[-1], d.name.split(".")[-2])]
    return [] if not DISTINCTIVE.match(name) or name in BUILT_IN else found


def _in_reach(
    module: str, path: str, definitions: Sequence[RepositoryDefinition]
) -> list[RepositoryDefinition]:
    """Choose the definitions below the folder that a relative import starts from."""
    up = levels_up(module)
    if up is None:
        return list(definitions)
    above = list(PurePosixPath(path).parents)
    top = above[min(up, len(above) - 1)]
    return [d for d in definitions if top in PurePosixPath(d.path).parents]


def _nearest(
    module: str, path: str, definitions: Sequence[RepositoryDefinition]
) -> list[RepositoryDefinition]:
    """Choose what a module owns: by the file or class of its last name, else in the folder of it.

    Of several, those in the folder of the calling file come first, then those whose path agrees
    with most of the module's name.
    """
    owner = last_part(module)
    by_name = [d for d in definitions if _in_file_or_class(owner, d)]
    found = by_name or [
        d for d in definitions if d.outermost and owner and _folder(d.path).name == owner
    ]
    beside = [d for d in found if _folder(d.path) == _folder(path)]
    agreed = [_agreement(parts(module), d.path) for d in found]
    return beside or [d for d, same in zip(found, agreed, strict=True) if same == max(agreed)]


def _agreement(module: Sequence[str], path: str) -> int:
    """Count the parts that the end of a module's name shares with the end of a path."""
    *folders, name = PurePosixPath(path).parts
    stem = name.partition(".")[0]
    there = folders if stem in HUBS else [*folders, stem]
    pairs = zip(reversed(module), reversed(there), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _in_file_or_class(owner: str, definition: RepositoryDefinition) -> bool:
    if not definition.outermost:
        *outer, around, _ = definition.name.split(".")
        # Inside of more than a class, a small letter begins the name of a function.
        return around == owner and (not outer or owner[:1].isupper())
    path = PurePosixPath(definition.path)
    stem = path.name.partition(".")[0]
    return owner in (stem, path.parent.name if stem in HUBS else stem)


def _one_method(definitions: Sequence[RepositoryDefinition]) -> list[RepositoryDefinition]:
    one = len({d.path for d in definitions}) == 1 and not any(d.outermost for d in definitions)
    return list(definitions) if one else []


def _resembles(variable: str, owner: str) -> bool:
    """Say whether a variable is called after a class, as ``reader`` after JsonReader."""
    one, other = variable.casefold(), owner.casefold()
    return one in other or other in one


def _same_package(one: str, other: str, language: str) -> bool:
    return language in PACKAGES and _folder(one) == _folder(other)


def _folder(path: str) -> PurePosixPath:
    return PurePosixPath(path).parent
