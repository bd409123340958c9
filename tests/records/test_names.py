import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.records import as_words, decode, encode, fingerprints, join

no_zero = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
SEED = np.uint64(0)


def test_by_hand():
    names = encode(["a", "é", "x" * 9])
    assert names.dtype == "S16"
    assert names.tolist() == [b"a", b"\xc3\xa9", b"x" * 9]
    assert as_words(names).shape == (3, 2)
    assert as_words(names)[0].tolist() == [ord("a"), 0]


@given(st.lists(no_zero, max_size=8))
def test_encode_and_decode(texts):
    names = encode(texts)
    assert decode(names) == texts
    assert names.dtype.itemsize % 8 == 0


@given(st.lists(st.lists(no_zero, max_size=5), max_size=4))
def test_join_keeps_every_name(parts):
    assert decode(join([encode(part) for part in parts])) == [
        name for part in parts for name in part
    ]


@given(st.lists(no_zero, min_size=1, max_size=8), st.integers(1, 9), st.integers(0, 2**64 - 1))
def test_fingerprints_do_not_depend_on_the_width(texts, more, seed):
    names = encode(texts)
    wider = names.astype(f"S{names.dtype.itemsize + more}")
    seeds = np.full(len(texts), seed, np.uint64)
    narrow = fingerprints(as_words(names), seeds)
    assert narrow.tolist() == fingerprints(as_words(wider), seeds).tolist()
    assert narrow.tolist() == fingerprints(as_words(names), np.uint64(seed)).tolist()


@given(st.sets(no_zero, min_size=1, max_size=40))
def test_different_names_have_different_fingerprints(texts):
    assert len(set(fingerprints(as_words(encode(sorted(texts))), SEED).tolist())) == len(texts)


def test_many_neighbouring_names_have_different_fingerprints():
    names = [
        f"{stem}{n}" for stem in ("", "doc-", "x" * 8, "x" * 13, "x" * 16) for n in range(20_000)
    ]
    assert len(np.unique(fingerprints(as_words(encode(names)), SEED))) == len(names)


@given(st.lists(no_zero, min_size=2, max_size=8))
def test_names_sort_as_utf8(texts):
    coded = sorted(text.encode() for text in texts)
    assert np.sort(encode(texts)).tolist() == coded
