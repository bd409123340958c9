"""What a file imports: which names from which module, and which modules whole."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Imports", "imports", "last_part", "levels_up"]

WHOLE = r"(?P<whole>[\w.]+)(?:\s+as\s+(?P<alias>\w+))?"
USE = r"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s+"
FORMS = {
    "python": (
        r"^[ \t]*from\s+(?P<module>[\w.]+)\s+import\s+(?:\((?P<many>[^)]*)\)|(?P<names>[^\n]*))",
        rf"^[ \t]*import\s+{WHOLE}",
    ),
    "typescript": (
        r"""^[ \t]*import\s+(?:type\s+)?(?P<names>[\w${},\s]+?)\s+from\s+["'](?P<module>[^"']+)""",
        r"""^[ \t]*import\s+\*\s+as\s+(?P<alias>\w+)\s+from\s+["'](?P<whole>[^"']+)""",
        r"""(?:const|let|var)\s+\{(?P<names>[^}]*)\}\s*=\s*require\(["'](?P<module>[^"']+)""",
        r"""(?:const|let|var)\s+(?P<alias>\w+)\s*=\s*require\(["'](?P<whole>[^"']+)""",
    ),
    "go": (r"""^[ \t]*(?:import\s+)?(?P<alias>\w+[ \t]+)?"(?P<whole>[\w./-]+)"[ \t]*$""",),
    "rust": (
        rf"{USE}(?P<module>[\w:]*?)::\{{(?P<many>[^{{}}]*)\}}\s*;",
        rf"{USE}(?P<module>[\w:]*?)(?:::)?(?P<names>\w+(?:\s+as\s+\w+)?);",
    ),
    "java": (r"^[ \t]*import\s+(?:static\s+)?(?P<module>[\w.]+)\.(?P<names>\w+)\s*;",),
}
FORMS |= dict.fromkeys(("tsx", "javascript"), FORMS["typescript"])
PATTERNS = {
    language: [re.compile(form, re.MULTILINE) for form in forms]
    for language, forms in FORMS.items()
}
NAME = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")


@dataclass(frozen=True, slots=True)
class Imports:
    """``names`` maps a name to the module it comes from, ``modules`` a name to a whole module.

    The first are as they are written, the second by the last part. A name that the file changes on
    import is not among ``names``: what it calls is called otherwise where it is defined.
    """

    names: dict[str, str] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)


def imports(text: str, language: str) -> Imports:
    """Read the import clauses of a file, as far as they tell by their looks."""
    found = Imports()
    for pattern in PATTERNS.get(language, ()):
        for match in pattern.finditer(text):
            _note(match, found)
    return found


def _note(match: re.Match[str], found: Imports) -> None:
    given = match.groupdict()
    if given.get("whole"):
        module = last_part(given["whole"])
        found.modules[(given.get("alias") or module).strip()] = module
        return
    for name, alias in _named(given.get("many") or given.get("names") or ""):
        if alias in ("", name):
            found.names[name] = given["module"]
        found.modules[alias or name] = name  # what is imported may be a module itself


def _named(clause: str) -> Iterator[tuple[str, str]]:
    without_comments = re.sub(r"(#|//)[^\n]*", "", clause)
    return ((match[1], match[2] or "") for match in NAME.finditer(without_comments))


def last_part(module: str) -> str:
    """Return the last part of a module's name, without the ending of a file."""
    parts = re.split(r"[./:]+", re.sub(r"\.[jt]sx?$", "", module))
    return parts[-1]


def levels_up(module: str) -> int | None:
    """Count the folders that a module's name leads up from its own; None if it is not relative."""
    dots = re.match(r"\.+(?=\w|$)|(?:\.{1,2}/)+", module)
    if not dots:
        return None
    return dots[0].count("../") if "/" in dots[0] else len(dots[0]) - 1
