"""What two parts of a made-up search answer to queries, and which documents are relevant."""

import numpy as np

from assay.engines.rank_rows import ranked
from assay.engines.stages import Step
from assay.records import FoundRows, Ints, Judgments, SearchInput

__all__ = ["DOCUMENTS", "judgments", "parts"]

ROWS, CHUNKS = 20_000, 4  # of an index, and on average of a document
POOL = 300  # chunks that either part could find, clustered in documents
DOCUMENTS = np.sort(np.random.default_rng(0).integers(ROWS // CHUNKS, size=ROWS))
NOISE = 0.6  # of a part beside what is true: enough for lists that share a third of their rows


class _Truth:
    """How near each chunk of a query's pool is, and what each part believes."""

    def __init__(self, query: int) -> None:
        rng = np.random.default_rng(query + 1)
        about = rng.choice(ROWS // CHUNKS, POOL, replace=False)
        chosen = np.flatnonzero(np.isin(DOCUMENTS, about))
        self.rows: Ints = np.sort(rng.choice(chosen, POOL, replace=False))
        near = rng.random(ROWS // CHUNKS)[DOCUMENTS[self.rows]] + 0.3 * rng.random(POOL)
        self.words = 20 * np.abs(near + NOISE * rng.normal(size=POOL))
        self.cosines = np.tanh(near + NOISE * rng.normal(size=POOL)) / 2
        self.held = rng.random(POOL)
        self.decisive = bool(rng.random() < 0.1)
        self.grades = {int(DOCUMENTS[row]): 2 for row in self.rows[np.argsort(-near)[:5]]}


def parts(queries: int, depth: int) -> list[Step]:
    """Make a lexical and a dense stage that know what to answer to queries "0", "1", ..."""
    truths = [_Truth(query) for query in range(queries)]

    def truth(asked: SearchInput) -> _Truth:
        return truths[int(asked.text)]

    def at(asked: SearchInput, rows: Ints) -> Ints:
        return np.searchsorted(truth(asked).rows, rows)

    def words(asked: SearchInput, _found: object) -> FoundRows:
        one = truth(asked)
        return ranked(one.rows, one.words, kind="bm25", depth=depth)

    def cosines(asked: SearchInput, _found: object) -> FoundRows:
        one = truth(asked)
        return ranked(one.rows, one.cosines, kind="cosine", best=1.0, depth=depth)

    lexical = Step(
        "lexical",
        lambda: "",
        words,
        scores=lambda asked, rows: truth(asked).words[at(asked, rows)],
        coverage=lambda asked, rows: truth(asked).held[at(asked, rows)],
        decisive=lambda asked: truth(asked).decisive,
    )
    dense = Step(
        "dense",
        lambda: "",
        cosines,
        scores=lambda asked, rows: truth(asked).cosines[at(asked, rows)],
        spread=lambda _asked: (0.2, 0.1),
    )
    return [lexical, dense]


def judgments(queries: int) -> Judgments:
    """Say which documents are relevant."""
    grades = [_Truth(query).grades for query in range(queries)]
    sizes = [len(one) for one in grades]
    return Judgments(
        queries=tuple(map(str, range(queries))),
        offsets=np.cumsum([0, *sizes]),
        documents=np.array([str(code).encode() for one in grades for code in one]),
        grades=np.array([grade for one in grades for grade in one.values()]),
        scale=2,
    )
