import random
import socket
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.models.embedders import static as module
from assay.models.embedders.static import static

TEXTS = [
    "a car",
    "an automobile",
    "日本語",
    "😀",
    "def f(x):\r\n    return x",
    "x" * 3000,
    "\ud800",
]


@pytest.fixture(scope="module")
def words():
    return static(threads=2)


def test_the_mean_of_its_tokens(words):
    table, ids = words._table, words._tokenizer.encode("cat", add_special_tokens=False).ids
    mean = table[ids].astype(np.float64).mean(axis=0)
    assert words.embed(["cat"])[0] == pytest.approx(mean / np.linalg.norm(mean))
    assert words.count("cat") == len(ids)


def test_as_the_package_itself_embeds(words):
    # Its loader looks in the wrong folder unless it is told where it is.
    sys.modules.pop("wordllama", None)
    from pathlib import Path

    import wordllama

    folder = Path(wordllama.__file__).parent
    peer = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    texts = [text for text in TEXTS if text != "\ud800"]
    assert words.embed(texts) == pytest.approx(peer.embed(texts, norm=True), abs=1e-5)


def test_near_meanings_are_near(words):
    car, automobile, banana = words.embed(["a car", "an automobile", "a ripe banana"])
    assert car @ automobile > car @ banana


def test_no_token_is_zeros_not_nan(words):
    assert words.embed(["", "cat"]).any(axis=1).tolist() == [False, True]
    assert words.embed([]).shape == (0, 256)


def test_same_bits_alone_among_others_shuffled_and_in_one_thread(words):
    together = words.embed(TEXTS)
    assert (np.concatenate([words.embed([text]) for text in TEXTS]) == together).all()
    order = random.Random(1).sample(range(len(TEXTS)), len(TEXTS))
    assert (words.embed([TEXTS[row] for row in order]) == together[order]).all()
    assert (static(threads=1).embed(TEXTS) == together).all()


@settings(max_examples=50)
@given(text=st.text())
def test_any_text_has_a_finite_vector(words, text):
    length = np.linalg.norm(words.embed([text])[0])
    assert length == pytest.approx(1 if words.count(text) else 0, abs=1e-5)


def test_a_megabyte(words):
    assert np.linalg.norm(words.embed(["lorem ipsum " * 80_000])[0]) == pytest.approx(1)


def test_offline_and_without_running_the_package(monkeypatch):
    def refuse(*_):
        raise AssertionError("a model opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for name in [name for name in sys.modules if name.partition(".")[0] == "wordllama"]:
        monkeypatch.delitem(sys.modules, name)
    assert static().embed(["no network"]).any()
    assert "wordllama" not in sys.modules


@pytest.mark.parametrize("name", ["TOKENIZER", "WEIGHTS"])
def test_another_file_than_the_measured_one_is_refused(monkeypatch, name, snapshot):
    monkeypatch.setattr(module, name, "0" * 64)
    with pytest.raises(InputError) as caught:
        static()
    snapshot([caught.value.problem, caught.value.hint])


def test_fingerprint_does_not_follow_threads(words):
    assert static(threads=1).fingerprint == words.fingerprint
