"""Near misses: where a document that is not where it was may be now."""

from collections.abc import Iterable
from itertools import takewhile

__all__ = ["NearMisses"]

BEST = 3
CALLED, PLACED = 20, 5  # documents kept for each wanted stem, and for each other key
SIMILAR = 0.6  # of difflib's ratio, at least: its own rule of thumb for a close match
OTHER = 3  # the distance of names that are not alike
ENDS = 3  # letters of a stem that one in the same folder has to share, at its start or its end

_Place = tuple[str, str]  # id, path
_Places = dict[str, list[_Place]]


class NearMisses:
    """Keeps a few documents for each wanted name that are called or placed like it.

    Every look-up is by key, so that the work does not grow with references x documents: the plain
    stem of the name, the same with its folder, and the folder with the stem's start or end.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._stems: _Places = {}
        self._tails: _Places = {}
        self._folders: dict[str, tuple[_Places, _Places]] = {}
        for path in dict.fromkeys(paths):
            folder, stem = _folder_and_stem(path)
            self._stems.setdefault(stem, [])
            if folder or "." in path:  # and not any id
                self._tails.setdefault(_tail(folder, stem), [])
                starts, ends = self._folders.setdefault(folder, ({}, {}))
                starts.setdefault(stem[:ENDS], [])
                ends.setdefault(stem[-ENDS:], [])

    def enter(self, ids: Iterable[str], paths: Iterable[str]) -> None:
        """Keep what is near to a wanted name, up to a few of each."""
        stems, folders = self._stems.get, self._folders.get
        home, beside = "", folders("")  # documents of one folder mostly follow each other
        for id_, path in zip(ids, paths, strict=True):
            folder, stem = _folder_and_stem(path)
            if (alike := stems(stem)) is not None:
                _keep(alike, CALLED, id_, path)
                _keep(self._tails.get(_tail(folder, stem)), PLACED, id_, path)
            if folder != home:
                home, beside = folder, folders(folder)
            if beside is not None:
                _keep(beside[0].get(stem[:ENDS]), PLACED, id_, path)
                _keep(beside[1].get(stem[-ENDS:]), PLACED, id_, path)

    def best(self, path: str) -> tuple[str, ...]:
        """Return the ids of the nearest documents, the nearest first."""
        folder, name = _split(path)
        places = self._around(path)
        called = [(_called_alike(folder, name, at), id_) for id_, at in places]
        found = [id_ for near, id_ in sorted(called, key=lambda pair: pair[0]) if near[0] < OTHER]
        if len(found) < BEST:
            found += _beside(folder, name, [place for place in places if place[0] not in found])
        return tuple(dict.fromkeys(found))[:BEST]

    def _around(self, path: str) -> list[_Place]:
        folder, stem = _folder_and_stem(path)
        starts, ends = self._folders.get(folder, ({}, {}))
        kept = [self._stems.get(stem), self._tails.get(_tail(folder, stem))]
        kept += [starts.get(stem[:ENDS]), ends.get(stem[-ENDS:])]
        return list(dict.fromkeys(place for places in kept for place in places or ()))


def _keep(places: list[_Place] | None, most: int, id_: str, path: str) -> None:
    if places is not None and len(places) < most:
        places.append((id_, path))


def _folder_and_stem(path: str) -> tuple[str, str]:
    """Return the folder of a path, and its name as people would misremember it."""
    folder, _, name = path.rpartition("/")
    plain = name.lower().replace("-", "").replace("_", "")
    dot = plain.rfind(".")
    return folder, plain[:dot] if dot > 0 else plain


def _tail(folder: str, stem: str) -> str:
    return f"{folder[folder.rfind('/') + 1 :]}/{stem}"


def _split(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name


def _plain(name: str) -> str:
    """Return a name without what people get wrong: case and dashes."""
    return name.lower().replace("-", "").replace("_", "")


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _called_alike(folder: str, name: str, path: str) -> tuple[int, int]:
    """Tell how alike two names are (less is nearer), then how much of their folders is shared."""
    other_folder, other = _split(path)
    plain, other_plain = _plain(name), _plain(other)
    differ = [name != other, plain != other_plain, _stem(plain) != _stem(other_plain)]
    return (differ.index(False) if not all(differ) else OTHER), -_shared(folder, other_folder)


def _shared(folder: str, other: str) -> int:
    """Count the folders that two paths have in common, from the start and from the end."""
    ours, theirs = folder.split("/"), other.split("/")
    start = _equal(ours, theirs)
    return start + _equal(ours[start:][::-1], theirs[start:][::-1])


def _equal(ours: list[str], theirs: list[str]) -> int:
    same = (a == b for a, b in zip(ours, theirs, strict=False))
    return sum(1 for _ in takewhile(bool, same))


def _beside(folder: str, name: str, places: Iterable[_Place]) -> list[str]:
    """Return those in the same folder whose names are similar, the most similar first."""
    from difflib import SequenceMatcher  # only what is missing needs it

    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(_stem(_plain(name)))
    similar = []
    for id_, path in places:
        matcher.set_seq1(_stem(_plain(_split(path)[1])))
        quick = _split(path)[0] == folder and matcher.quick_ratio() >= SIMILAR
        if quick and (ratio := matcher.ratio()) >= SIMILAR:
            similar.append((-ratio, path, id_))
    return [id_ for _, _, id_ in sorted(similar)]
