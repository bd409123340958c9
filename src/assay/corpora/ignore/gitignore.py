"""What git would ignore: the rules of each .gitignore on the way to a path.

https://git-scm.com/docs/gitignore; the machine's own rules (core.excludesFile) are left aside, so
that a folder is the same corpus for everybody.
"""

import stat
from dataclasses import dataclass
from pathlib import Path

from assay.corpora.ignore.patterns import Patterns

__all__ = ["IgnoreRules", "rules_at"]

NAME = ".gitignore"
MOST = 1_000_000  # bytes of rules; a larger file was not written as rules


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules that hold in a folder; ``base`` is its path from the outermost rules, with a /.

    A deeper file's word counts before a higher one's. Each entry is asked about on its own: what
    lies in an ignored folder is not reached at all, as in git.
    """

    base: str
    rules: tuple[tuple[int, Patterns], ...] = ()

    def hides(self, entry: str) -> bool:
        """Say whether an entry of the folder is ignored; a folder's name ends with a slash."""
        path = self.base + entry
        for depth, rules in self.rules:
            said = rules.on(path[depth:])
            if said is not None:
                return said
        return False

    def inside(self, name: str, file: Path) -> "IgnoreRules":
        """Return the rules of a folder in this one, given the .gitignore that it may have."""
        base = f"{self.base}{name}/" if name else self.base
        rules = _compiled(file)
        return IgnoreRules(base, ((len(base), rules), *self.rules) if rules else self.rules)


def rules_at(root: Path) -> IgnoreRules:
    """Return the rules of a folder with those of the repository around it, if there is one.

    Rules that ignore the folder itself do not count: whoever names it wants it.
    """
    top = next((above for above in (root, *root.parents) if _is_git(above / ".git")), None)
    if top is None:
        return IgnoreRules("").inside("", root / NAME)
    exclude = _compiled(_git_folder(top / ".git") / "info" / "exclude")
    found = IgnoreRules("", ((0, exclude),) if exclude else ()).inside("", top / NAME)
    above = top
    for name in root.relative_to(top).parts:
        if found.hides(f"{name}/"):
            return IgnoreRules("").inside("", root / NAME)
        above = above / name
        found = found.inside(name, above / NAME)
    return found


def _is_git(place: Path) -> bool:
    return place.is_dir() or place.is_file()


def _git_folder(place: Path) -> Path:
    """Follow the file that stands for .git in a work tree of its own to the common folder."""
    try:
        if place.is_dir():
            return place
        own = place.parent / _content(place).decode().removeprefix("gitdir:").strip()
        return own / _content(own / "commondir").decode().strip()
    except (OSError, ValueError):
        return place


def _compiled(file: Path) -> Patterns | None:
    try:
        if file.is_symlink():  # git does not follow it either
            return None
        text = _content(file).decode("utf-8-sig", "surrogateescape")
    except OSError:
        return None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return Patterns(line for line in lines if not line.startswith("#")) or None


def _content(file: Path) -> bytes:
    """Read a regular file of a sensible size: a pipe would wait for its writer without end."""
    if not stat.S_ISREG(file.stat().st_mode):
        raise OSError("not a file")
    with file.open("rb") as opened:
        data = opened.read(MOST + 1)
    if len(data) > MOST:
        raise OSError("too large")
    return data
