"""Datasets that hypothesis makes up: every field of every noun, plain and odd."""

from hypothesis import strategies as st

from assay.records import Dataset, Document, Judgment, Query, Rationale, Reference

__all__ = ["IDS", "TEXTS", "datasets", "queries"]

ODD_TEXTS = [
    *("", " ", "\n", "a\nb", "a\r\nb", "a\rb", "\t", "a\tb", "\\", '"', "'", "''", '""', "a,b;c"),
    *(
        "=1+1",
        "+1",
        "-1",
        "@x",
        "'=x",
        "''=x",
        "\t=x",
        "#",
        "# a",
        "- a",
        "a: b",
        "a #b",
        "{",
        "[x]",
    ),
    *("yes", "no", "on", "null", "~", "true", "1", "01", "1.5", "1e5", ".inf", "2024-01-01", "<<"),
    *("&a", "*a", "!a", "%a", "|", ">", "---", "...", "<a>", "&amp;", "&#1;", "]]>", "<top>"),
    *(
        "é",
        "日本語",
        "😀",
        "\u202eabc",
        "\ufeff",
        "\ufeffa",
        "\x85",
        "\u2028",
        "\x00",
        "\x01",
        "\x7f",
    ),
    *("\ufffe", "\uffff", "e\u0301", "a\xa0b", "q1", "q2", "id", "extra", "Number: 7"),
]
TEXTS = st.sampled_from(ODD_TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = TEXTS.filter(bool)
# Ids that every format can hold: no white space, no control character, no # in front.
IDS = st.text(st.sampled_from("abz09é日😀_-./:=+@'\"\\&<>{}[],;|~^"), min_size=1, max_size=12)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        *("id", "query", "text", "relevant", "metadata", "match", "category", "extra", "reason"),
        *("expected_files", "line_range", "prompt", "task_id", "title", "desc", "narr", "path"),
        *("query_id", "_id", "difficulty", "collection", "fpath_tuple", "expectedResults", "file"),
        *("repo", "ground_truth", "file_content", "Query", "grade", "name", "queries", "corpus"),
        *("weight", "Weight"),
    ]
)
EXTRA = st.dictionaries(KEYS | TEXTS, VALUES | NAMES, max_size=4)


def references(names):
    keys = st.fixed_dictionaries(
        {},
        optional={
            "document_id": names,
            "uri": names,
            "content_hash": names,
            "path": names,
            "file_name": names,
            "symbol": names,
        },
    ).filter(bool)
    matches = st.sampled_from(["exact", "substring"])
    given = st.builds(lambda keys, match: Reference(**keys, match=match), keys, matches)
    return st.builds(Reference.named, names) | given


def judgments(names, scale):
    lines = st.none() | st.tuples(st.integers(1, 10**6), st.integers(1, 10**6))
    said = {"judge": TEXTS, "when": TEXTS, "report": TEXTS, "seen": lines}
    because = st.none() | st.builds(Rationale, TEXTS, lines, **said)
    groups = st.just("") | st.sampled_from(["either", "x"]) | TEXTS
    return st.builds(Judgment, references(names), st.integers(-2, scale), groups, because)


def queries(key, names, scale):
    texts = TEXTS | st.text(max_size=0)
    return st.builds(
        Query,
        key=st.just(key),
        text=TEXTS,
        judgments=st.lists(judgments(names, scale), max_size=4).map(tuple),
        category=texts,
        difficulty=st.sampled_from(["", "easy", "hard", "3"]) | TEXTS,
        collection=texts,
        extra=st.just({}) | EXTRA,
        weight=st.just(1.0) | st.sampled_from([2.0, 0.1, 1e9]) | st.floats(1e-100, 1e100),
    )


METADATA = st.dictionaries(
    st.sampled_from(["year", "tags", "über", "product.name"]),
    st.integers(0, 9) | st.booleans() | st.sampled_from(["a", "ü", ["a", 1]]),
    max_size=3,
)  # as `bounded_metadata` gives them


def documents(names):
    one = st.builds(
        Document,
        id=names,
        text=TEXTS,
        title=TEXTS,
        uri=st.just("") | NAMES,
        path=st.just("") | NAMES,
        file_name=st.just("") | NAMES,
        content_hash=st.just("") | NAMES,
        language=st.just("") | NAMES,
        size_bytes=st.integers(0, 10**9),
        metadata=st.just({}) | METADATA,
    )
    return st.lists(one, max_size=3, unique_by=lambda document: document.id).map(tuple)


@st.composite
def datasets(draw, *, ids=NAMES, least=1):
    """Draw a dataset; ``ids`` draws its keys and the names of documents."""
    scale = draw(st.sampled_from([3, 1, 2, 4, 10, 1000]))
    keys = draw(st.lists(ids, min_size=least, max_size=4, unique=True))
    corpora = st.sampled_from([{}, {"source": "stdlib"}, {"path": "src", "include": ["**/*.py"]}])
    return Dataset(
        name=draw(NAMES),
        queries=tuple(draw(queries(key, ids, scale)) for key in keys),
        description=draw(TEXTS),
        scale=scale,
        documents=draw(st.just(()) | documents(ids)),
        corpus=draw(corpora),
        metadata=draw(st.just({}) | EXTRA),
    )
