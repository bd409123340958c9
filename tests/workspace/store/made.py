"""Datasets: one by hand, and any that hypothesis can think of."""

from hypothesis import strategies as st

from assay.records import Dataset, Document, Judgment, Query, Rationale, Reference

AUTHOR = {"author": "ada"}
ODD = ["", "\0", "\ud800", "\udc00", "\ud83d\ude00", "\\u0000", "\\", "a\\\0\ud800b", "😀", "'; --"]

QUERIES = (
    Query("q1", "how to retry", (Judgment(Reference.named("retry.md"), 3),)),
    Query(
        "q2",
        "where is the port set",
        (
            Judgment(Reference(file_name="setup.md"), 2),
            Judgment(Reference(uri="file:///serve.py", symbol="listen"), 1, "g"),
            Judgment(Reference(path="old.md", match="substring"), 0, "g"),
        ),
        category="config",
        extra={"exclude": ["a.md"]},
    ),
    Query("q3", "nothing is judged"),
)
HANDBOOK = Dataset("handbook", QUERIES, description="of a team", scale=3, metadata={"by": "us"})

characters = st.characters()  # half surrogates included
texts = st.one_of(st.sampled_from(ODD), st.text(alphabet=characters, max_size=8))
# Python takes 1, 1.0 and True for equal, and JSON does not: of these only whole numbers are drawn.
halves = st.floats(allow_nan=False, allow_infinity=False).filter(lambda one: not one.is_integer())
values = st.recursive(
    st.none() | st.integers() | halves | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
mappings = st.dictionaries(st.text(max_size=5), values, max_size=3)
lines = st.none() | st.tuples(st.integers(1, 9), st.integers(1, 9))
rationales = st.builds(Rationale, texts, lines, texts, texts, texts, lines)
references = st.builds(Reference.named, texts) | st.builds(
    Reference, *[texts] * 6, match=st.sampled_from(["exact", "substring"])
)
judgments = st.builds(
    Judgment, references, st.integers(-2, 3), st.sampled_from(["", "g"]), st.none() | rationales
)
keys = st.sampled_from("abcdefgh") | texts


def queries(key=keys):
    return st.builds(
        Query,
        key,
        texts,
        st.lists(judgments, max_size=3).map(tuple),
        category=texts,
        difficulty=texts,
        collection=texts,
        extra=mappings,
    )


documents = st.builds(Document, keys, *[texts] * 7, size_bytes=st.integers(0, 10**15), stamp=texts)
datasets = st.builds(
    Dataset,
    st.text(min_size=1, max_size=20).filter(str.strip),
    st.lists(queries(), max_size=6, unique_by=lambda query: query.key).map(tuple),
    description=texts,
    scale=st.integers(3, 9),
    documents=st.lists(documents, max_size=3, unique_by=lambda one: one.id).map(tuple),
    corpus=mappings,
    metadata=mappings,
    notes=st.lists(texts, max_size=2).map(tuple),
    home=texts,
    format=texts,
)


def whole(dataset):
    """All fields of a dataset, also those that do not count when two are compared."""
    return dataset, dataset.notes, dataset.home, dataset.format
