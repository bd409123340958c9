import numpy as np
import pytest

from assay.errors import InputError
from assay.models.open_reranker import open_reranker
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
