import math

import numpy as np
import pytest
from onnx import helper

from assay.errors import InputError
from assay.models.open_reranker import open_reranker
from assay.models.rerankers.cross_encoder import cross_encoder

# [UNK], [CLS], [SEP], a, b, c, d: the model adds up its tokens' weights, those of the text tenfold.
WEIGHTS = np.array([[0.5], [0], [0], [1], [2], [3], [-4]], dtype=np.float32)


def nodes():
    return [
        helper.make_node("Gather", ["weights", "input_ids"], ["rows"]),  # 1, t, 1
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=1),  # 0 query, 1 text
        helper.make_node("Mul", ["types", "nine"], ["more"]),
        helper.make_node("Add", ["more", "one"], ["times"]),
        helper.make_node("Unsqueeze", ["times", "last"], ["column"]),
        helper.make_node("Mul", ["rows", "column"], ["weighted"]),
        helper.make_node("ReduceSum", ["weighted", "middle"], ["out"], keepdims=0),
    ]


def constants(weights):
    return {
        "weights": weights,
        "nine": np.float32(9),
        "one": np.float32(1),
        "last": np.array([2]),
        "middle": np.array([1]),
    }


@pytest.fixture
def folder(tiny):
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    return tiny(nodes(), constants(WEIGHTS), outputs=("out", [1, 1]), inputs=inputs)


def test_raw_scores_by_hand(folder):
    scores = cross_encoder(str(folder), scores="raw").score("a b", ["c", "a d", "", "x"])
    assert scores.tolist() == [33.0, -27.0, 3.0, 8.0]
    assert scores.dtype == np.float64


def test_sigmoid_by_hand(folder):
    scores = cross_encoder(str(folder)).score("a", ["", "a", "d", "d " * 60])
    assert scores[:3] == pytest.approx([1 / (1 + math.exp(-s)) for s in (1, 11, -39)])
    assert scores[3] == 0.0  # far below what exp() can hold


def test_only_the_text_is_cut(folder):
    # [CLS] a a [SEP] + text + [SEP]: a window of 8 leaves the text 3 tokens of its own.
    model = cross_encoder(str(folder), scores="raw", window=8)
    assert model.score("a a", ["b b b b b b"]).tolist() == [2 + 60]
    assert model.score("a a", ["b b b"]).tolist() == [2 + 60]
    # A query that would fill the window keeps half of the room: 2 of 5.
    assert model.score("a a a a a a a a", ["b b b b b"]).tolist() == [2 + 60]


def test_padding_and_truncation_of_the_tokenizers_file_are_reset(folder):
    model = cross_encoder(str(folder), scores="raw")
    assert model.score("a", ["c " * 50]).tolist() == [1 + 1500]


def test_the_query_is_the_same_for_every_text(folder):
    model = cross_encoder(str(folder), scores="raw", window=16, threads=2)
    texts = ["c", "a d", "b " * 30, "", "c c"] * 5
    together = model.score("a b c", texts)
    assert together.tolist() == [model.score("a b c", [text])[0] for text in texts]
    assert model.score("a", []).shape == (0,)


def test_two_classes_are_their_difference(tiny):
    weights = np.concatenate([WEIGHTS, 2 * WEIGHTS], axis=1)
    inputs = ("input_ids", "token_type_ids")
    folder = tiny(nodes(), constants(weights), outputs=("out", [1, 2]), inputs=inputs)
    assert cross_encoder(str(folder), scores="raw").score("a b", ["c"]).tolist() == [33.0]


def test_three_classes_are_refused(tiny):
    weights = np.concatenate([WEIGHTS] * 3, axis=1)
    inputs = ("input_ids", "token_type_ids")
    folder = tiny(nodes(), constants(weights), outputs=("out", [1, 3]), inputs=inputs)
    with pytest.raises(InputError, match="3 outputs"):
        cross_encoder(str(folder)).score("a", ["b"])


def test_opened_by_name(folder):
    model = open_reranker(f"cross-encoder:{folder}")
    assert model.name == "tiny"
    other = open_reranker({"model": f"cross-encoder:{folder}", "scores": "raw"})
    assert model.fingerprint != other.fingerprint
    assert model.fingerprint == open_reranker(f"cross-encoder:{folder}").fingerprint


def test_errors(folder, tmp_path):
    with pytest.raises(InputError, match=r'"softmax" for scores'):
        cross_encoder(str(folder), scores="softmax")
    with pytest.raises(InputError, match="window of 4"):
        cross_encoder(str(folder), window=4)
    with pytest.raises(InputError, match="nowhere: "):
        cross_encoder(str(tmp_path / "nowhere"))
