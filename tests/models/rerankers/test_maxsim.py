import random

import numpy as np
import pytest

from assay.errors import InputError
from assay.models.open_reranker import open_reranker
from assay.models.rerankers import maxsim as module
from assay.models.rerankers.maxsim import maxsim


class Words:
    """A stand-in for a model: each word is a direction in the plane."""

    fingerprint = "words-1"
    turns = {"east": 0, "north": 90, "west": 180, "northeast": 45}  # noqa: RUF012

    def __init__(self):
        self.asked = []

    def embed_tokens(self, texts):
        self.asked += texts
        return [self.matrix(text) for text in texts]

    def matrix(self, text):
        angles = np.radians([self.turns[word] for word in text.split()])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


class Memory:
    """Remembers as the workspace does."""

    def __init__(self):
        self.values = {}

    def get_many(self, keys):
        return {key: self.values[key] for key in keys if key in self.values}

    def put_many(self, values):
        self.values.update(values)


def test_by_hand():
    # east: 1, 0, cos 45; north: 0, 1, cos 45. Per query token the best, then their mean.
    scores = maxsim(embedder=Words()).score(
        "east north", ["east north", "east west", "northeast", "west"]
    )
    assert scores == pytest.approx([1, 0.5, 0.5**0.5, -0.5], abs=1e-3)
    assert scores.dtype == np.float64


def test_nothing_to_compare_is_zero():
    scorer = maxsim(embedder=Words())
    assert scorer.score("", ["east"]).tolist() == [0]
    assert scorer.score("east", ["", "east"]) == pytest.approx([0, 1])
    assert scorer.score("east", []).shape == (0,)


def test_remembered_or_not_is_the_same_to_the_bit():
    memory, texts = Memory(), ["northeast", "north west", "", "northeast"]
    plain = maxsim(embedder=Words()).score("north northeast", texts)
    first = Words()
    assert (maxsim(embedder=first, blobs=memory).score("north northeast", texts) == plain).all()
    assert first.asked == ["north northeast", "northeast", "north west", ""]
    second = Words()
    assert (maxsim(embedder=second, blobs=memory).score("north northeast", texts) == plain).all()
    assert second.asked == ["north northeast"]


class Noise:
    """A stand-in for a model: a text "7 200" has 200 random token vectors, by the seed 7."""

    fingerprint = "noise-1"

    def __init__(self, width, *, flat=False):
        self.width, self.flat = width, flat

    def embed_tokens(self, texts):
        return [self.matrix(*map(int, text.split())) for text in texts]

    def matrix(self, seed, count):
        rows = np.random.default_rng(seed).standard_normal((count, self.width))
        rows = np.sign(rows) if self.flat else rows
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def score_exactly(model, query, text):
    """Do what maxsim does with whole numbers of Python's own size."""
    (asked,), (found,) = model.embed_tokens([query]), model.embed_tokens([text])
    whole, its = module._whole_numbers(asked), module._coded(found)
    products = whole.astype(np.int64) @ its.codes.T.astype(np.int64)
    cosines = products.astype(np.float32) * its.scales
    return (cosines.max(axis=1) / np.linalg.norm(whole, axis=1)).mean(), products


@pytest.mark.parametrize("asked", [1, 7, 40, 300])
def test_the_same_bits_whatever_texts_are_beside(asked):
    draw = random.Random(asked)
    scorer = maxsim(embedder=Noise(384), blobs=Memory())
    texts = [f"{seed} {draw.choice([1, 2, 15, 16, 17, 200, 260, 700])}" for seed in range(40)]
    together = scorer.score(f"99 {asked}", texts)
    assert len(set(together.tolist())) == len(texts)
    for _ in range(20):
        some = draw.sample(range(len(texts)), draw.randint(1, len(texts)))
        found = scorer.score(f"99 {asked}", [texts[row] for row in some])
        assert found.tolist() == together[some].tolist()


@pytest.mark.parametrize(("width", "flat"), [(384, False), (384, True), (4096, True)])
def test_no_sum_is_rounded(width, flat):
    # Flat vectors, and a text that is the query itself, have the largest sums that there are.
    model = Noise(width, flat=flat)
    for query, text in (("1 12", "1 12"), ("2 12", "3 300")):
        expected, products = score_exactly(model, query, text)
        assert np.abs(products).max() <= 2**24
        assert maxsim(embedder=model).score(query, [text])[0] == pytest.approx(expected, rel=1e-12)
    assert np.abs(score_exactly(model, "1 12", "1 12")[1]).max() > 2**24 / 40


def test_as_near_to_float32_as_ranks_need():
    model = Noise(384)
    (asked,) = model.embed_tokens(["5 12"])
    texts = [f"{seed} 200" for seed in range(50)]
    exact = [(asked @ rows.T).max(axis=1).mean() for rows in model.embed_tokens(texts)]
    assert maxsim(embedder=model).score("5 12", texts) == pytest.approx(np.array(exact), abs=5e-4)


def test_what_is_remembered_takes_a_byte_for_each_value_and_four_for_a_token():
    memory = Memory()
    maxsim(embedder=Noise(384), blobs=memory).score("1 3", ["2 200"])
    (value,) = memory.values.values()
    assert len(value) == 4 + 200 * (4 + 384)


def test_another_model_remembers_apart():
    memory, other = Memory(), Words()
    maxsim(embedder=Words(), blobs=memory).score("east", ["west"])
    other.fingerprint = "words-2"
    maxsim(embedder=other, blobs=memory).score("east", ["west"])
    assert other.asked == ["east", "west"]
    one, two = (maxsim(embedder=words).fingerprint for words in (Words(), other))
    assert one != two


def test_with_the_embedded_model(model):
    scorer = open_reranker("maxsim", embedder=model)
    texts = ["bananas are yellow", "set max_retries in the client's configuration", "retry \ud800"]
    scores = scorer.score("where are retries configured", texts)
    assert scores.argmax() == 1
    alone = [scorer.score("where are retries configured", [text])[0] for text in texts]
    assert scores.tolist() == alone


@pytest.mark.parametrize("given", [{"embedder": object()}, {}], ids=["other", "none"])
def test_a_model_without_vectors_of_tokens(given, snapshot):
    with pytest.raises(InputError) as caught:
        open_reranker("maxsim", **given)
    assert caught.value.where == "rerank"
    snapshot(caught.value)
