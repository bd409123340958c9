"""A run whose documents are paths -> the same with paths as its judgments write them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from assay.columns.files.path_names import folded, is_absolute, is_path, slashed, tails, unlike
from assay.rankings.near_ids import near_notes
from assay.rankings.unmatched import unmatched_notes
from assay.records import Judgments, Rankings, decode, encode
from assay.text.count_noun import count_noun

__all__ = ["align", "align_to", "known_names"]

SIGNS = (b"/", b"\\", b".")  # without any of them no name is a path
Known = Mapping[str, str]


def align(rankings: Rankings, judgments: Judgments) -> Rankings:
    """Rename documents that the judgments, or their corpus, write in another way, and say so.

    Separators, a leading ``./``, one absolute prefix of all and the case may differ. What is not
    unique, in the run or in the judgments, stays as it is. A run of which nothing is judged, and
    ids that are nearly those of the judgments, are told of, too. So are queries with the name of
    their collection, as the saved runs of a benchmark with several have them.
    """
    rankings = _without_collections(rankings, judgments)
    found = align_to(rankings, _known(judgments), judgments.name)
    lost = unmatched_notes(found, judgments) or near_notes(found, judgments)
    return replace(found, notes=(*found.notes, *lost)) if lost else found


def _without_collections(rankings: Rankings, judgments: Judgments) -> Rankings:
    """Rename queries such as ``click/c1`` where only ``c1`` is judged, and each is found once."""
    judged = set(judgments.queries)
    if not judged.isdisjoint(rankings.queries):
        return rankings
    tails = {
        key: [key[at + 1 :] for at, one in enumerate(key) if one == "/"] for key in rankings.queries
    }
    meant = {key: next((one for one in ends if one in judged), None) for key, ends in tails.items()}
    found = {key: one for key, one in meant.items() if one is not None}
    if not found or len({*found.values()}) < len(found):
        return rankings
    key, one = next(iter(found.items()))
    count = count_noun(len(found), "query has", "queries have")
    note = f'{count} the name of a collection before the key, e.g. "{key}" for "{one}"; '
    note += "scores here are means over queries, those of a benchmark means over collections"
    queries = tuple(found.get(key, key) for key in rankings.queries)
    return replace(rankings, queries=queries, notes=(*rankings.notes, note))


def known_names(documents: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what a run may call documents (id and path): their ids, and paths that are unique."""
    pairs = [*documents]
    paths = Counter(path for _, path in pairs)
    other = {path: id_ for id_, path in pairs if path and paths[path] == 1}
    return other | {id_: id_ for id_, _ in pairs}


def align_to(rankings: Rankings, known: Known, whose: str) -> Rankings:
    """Rename documents that are written in another way than the names that are ``known``."""
    if not known:
        return rankings
    present = {name.decode() for name in set(rankings.documents.tolist())}
    meant = {name: known[name] for name in present if name in known and known[name] != name}
    unknown = [name for name in sorted(present) if name not in known and is_path(name)]
    found = _respelled(unknown, known) | _below_root(unknown, known)
    meant |= {name: one for name, ids in found.items() if len(ids) == 1 for one in ids}
    targets = Counter(meant.values())
    sure = {a: b for a, b in meant.items() if targets[b] == 1 and b not in present}
    doubts = sorted(found.keys() - sure.keys())
    return _renamed(rankings, sure, doubts, whose)


def _known(judgments: Judgments) -> Known:
    """Return the names that may be met, and the id of each; nothing where none is a path."""
    if judgments.names:
        return judgments.names
    raw = judgments.documents.tobytes()
    if not any(sign in raw for sign in SIGNS):
        return {}
    names = {name for name in decode(judgments.documents) if name}
    return {name: name for name in names} if any(map(is_path, names)) else {}


def _respelled(unknown: Iterable[str], known: Known) -> dict[str, set[str]]:
    """Look names up whatever their separators and case; the same case comes first."""
    same, any_case = _by(slashed, known), _by(folded, known)
    found = {name: same.get(slashed(name)) or any_case.get(folded(name)) for name in unknown}
    return {name: ids for name, ids in found.items() if ids}


def _by(form: Callable[[str], str], known: Known) -> dict[str, set[str]]:
    ids: dict[str, set[str]] = {}
    for name, id_ in known.items():
        if is_path(name):
            ids.setdefault(form(name), set()).add(id_)
    return ids


def _below_root(unknown: Iterable[str], known: Known) -> dict[str, set[str]]:
    """Look absolute names up below the root that all of them share, on either side.

    A run that lies below two roots, or a root that could be two folders, tells nothing for sure.
    """
    ours = {name: folded(name) for name in unknown}
    theirs = _by(folded, known)
    absolute = [path for path in ours.values() if is_absolute(path)]
    relative = {path: ids for path, ids in theirs.items() if not is_absolute(path)}
    roots = _roots(absolute, relative)
    found = {
        name: {one for root in roots for one in relative.get(path.removeprefix(root), ())}
        for name, path in ours.items()
        if is_absolute(path)
    }
    bare = {path for path in ours.values() if not is_absolute(path)}
    homes = _roots([path for path in theirs if is_absolute(path)], bare)
    found |= {
        name: {one for root in homes for one in theirs.get(root + path, ())}
        for name, path in ours.items()
        if path in bare
    }
    return {name: ids for name, ids in found.items() if ids}


def _roots(absolute: list[str], relative: Iterable[str]) -> list[str]:
    """Return the folders above all absolute paths from which one of them is a relative one."""
    if not absolute or not (wanted := set(relative)):
        return []
    shortest = min(absolute, key=len)
    every = [shortest[: -len(tail)] for tail in tails(shortest)]
    shared = [root for root in every if all(path.startswith(root) for path in absolute)]
    return [root for root in shared if any(path[len(root) :] in wanted for path in absolute)]


def _renamed(
    rankings: Rankings, sure: Mapping[str, str], doubts: list[str], whose: str
) -> Rankings:
    notes = list(rankings.notes)
    if sure:
        name, meant = min(sure.items())
        differ = count_noun(len(sure), "path differs", "paths differ")
        what = f"{differ} from {whose} only in spelling and {'was' if len(sure) == 1 else 'were'}"
        notes.append(f'{what} matched, e.g. "{name}" to "{meant}"{unlike(name, meant)}')
    if doubts:
        match = count_noun(len(doubts), "path matches", "paths match")
        what = f"{match} several documents of {whose}, or one that the run already has"
        is_ = "is" if len(doubts) == 1 else "are"
        notes.append(f'{what}, and {is_} left unchanged, e.g. "{doubts[0]}"')
    if not sure:
        return replace(rankings, notes=tuple(notes)) if doubts else rankings
    names = (sure.get(name, name) for name in decode(rankings.documents))
    return replace(rankings, documents=encode(names), notes=tuple(notes))
