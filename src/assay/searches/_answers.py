"""Tell answers of a system of somebody else that can be scored from those that cannot."""

from collections.abc import Callable, Mapping, Sequence

from assay.searches.built_search import Checked
from assay.text import sanitize

__all__ = ["IDS", "check_answers"]

SHOWN = 100  # letters of an id
# Where to look if the documents of a system are not those of the corpus.
IDS = {
    "http": "check response.document",
    "callable": "check the ids that the function returns",
    "run_file": "was it made over this corpus?",
}
# Where to look if a system finds nothing at all.
NOTHING = {
    "http": "check request, response.hits, and what its index holds",
    "callable": "check what the function returns",
    "run_file": "check the ids of its queries",
}


def check_answers(
    answers: Mapping[str, Sequence[str]],
    corpus: Mapping[str, str],
    *,
    kind: str,
    show: Callable[[str, int], str],
) -> Checked:
    """Look through the answers to judged queries; ``corpus`` has the path of each document.

    A system that found nothing for any of them, or only what the corpus does not have, was not
    asked rightly: its scores, all 0, would say nothing about it.
    """
    found = dict.fromkeys(one for documents in answers.values() for one in documents)
    if not found:
        several = f"it answered none of {len(answers):,} judged queries"
        told = several if len(answers) > 1 else "it did not answer the only judged query"
        return Checked(failure=f"{told}: {NOTHING.get(kind, 'is it filled?')}")
    unknown = frozenset(one for one in found if one not in corpus)
    if len(unknown) < len(found):
        return Checked(unknown)
    first = next(iter(found))
    every = f"none of the {len(found):,} documents that it returned is in the corpus"
    about = every if len(found) > 1 else "the only document that it returned is not in the corpus"
    examples = f"e.g. {show(first, SHOWN)}; the corpus has {_nearest(found, corpus)[:SHOWN]}"
    failure = f"{about}, {examples}: {IDS.get(kind, 'check its ids')}"
    return Checked(unknown, sanitize(failure))


def _nearest(found: Mapping[str, object], corpus: Mapping[str, str]) -> str:
    """Return a document of the corpus that is called alike, or else any."""
    named = {_last(one): one for one in corpus}
    return next((named[_last(one)] for one in found if _last(one) in named), next(iter(corpus)))


def _last(name: str) -> str:
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2]
