"""Looking at a corpus: its size is exact, and a few of its documents stand for all."""

from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.collections.collection import LONGEST, SAMPLE, CorpusReading
from assay.corpora.sources.inline import inline
from assay.records import Document


def sample_corpus(corpus, seed=0):
    return CorpusReading(corpus, seed=seed).sample


def corpus(texts):
    return inline([Document(id=str(at), text=text) for at, text in enumerate(texts)])


def test_all_of_a_small_corpus_is_kept():
    seen = sample_corpus(corpus(["äpfel", "pear", ""]))
    assert (seen.documents, seen.bytes, seen.share) == (3, 6 + 4, 1.0)
    assert [one.text for one in seen.some] == ["äpfel", "pear", ""]
    assert str(seen) == "all documents"


def test_some_of_a_large_corpus_stand_for_all():
    seen = sample_corpus(corpus(["word"] * 100))
    assert (seen.documents, seen.bytes, len(seen.some)) == (100, 400, SAMPLE)
    assert seen.share == SAMPLE / 100
    assert str(seen) == f"{SAMPLE} of 100 documents"


def test_every_document_has_the_same_chance():
    """Of 48 documents 24 are kept: each in half of 400 samples, give or take 5 deviations (10)."""
    counts = [0] * 48
    texts = corpus([str(at) for at in range(48)])
    for seed in range(400):
        for one in sample_corpus(texts, seed=seed).some:
            counts[int(one.id)] += 1
    assert all(150 < count < 250 for count in counts)
    assert sum(counts) == 400 * SAMPLE


def test_only_the_beginning_of_a_huge_document_is_tried():
    seen = sample_corpus(corpus(["x" * (10 * LONGEST)]))
    assert seen.bytes == 10 * LONGEST
    assert seen.share == 0.1
    assert len(seen.some[0].text) == LONGEST
    assert [one.size_bytes for one in inline(seen.some).documents()] == [LONGEST]


@given(st.lists(st.text(max_size=9), max_size=60), st.integers(0, 5))
def test_the_same_seed_keeps_the_same(texts, seed):
    one, again = sample_corpus(corpus(texts), seed=seed), sample_corpus(corpus(texts), seed=seed)
    assert one.some == again.some
    assert len(one.some) == min(len(texts), SAMPLE)
    assert one.bytes == sum(len(text.encode()) for text in texts)
    assert len({document.id for document in one.some}) == len(one.some)
    assert 0 <= one.share <= 1
