"""Rewritten, a model computes the same in float32, and nearly the same in int8."""

import math

import numpy as np
import onnx
import pytest
from onnx import helper

from assay.models.inference.graph_rewrites import drop_mask, ease_outliers
from assay.models.inference.quantise import quantise
from assay.models.inference.session import Session

# Two products of one input: (1, 1, 100) times these, for the tokens 1, 2 and 3.
TABLE = np.array([[0, 0, 0], [1, 1, 100], [-1, 0.5, 0], [0.25, -1, 50]], dtype=np.float32)
LEFT = np.array([[1, -2], [3, 0.5], [0, 0.25]], dtype=np.float32)
RIGHT = np.array([[2, 1], [0, -1], [0.5, 0]], dtype=np.float32)
EASED = {"left": {2: 64.0}, "right": {2: 64.0}}
REMOVED = {"left": {2: math.inf}, "right": {1: 2.0, 2: math.inf}}
IDS = np.array([[1, 2, 3]])


@pytest.fixture
def source(tiny):
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["x"]),
        helper.make_node("MatMul", ["x", "LEFT"], ["l"], name="left"),
        helper.make_node("MatMul", ["x", "RIGHT"], ["r"], name="right"),
        helper.make_node("Add", ["l", "r"], ["out"]),
    ]
    weights = {"table": TABLE, "LEFT": LEFT, "RIGHT": RIGHT}
    return tiny(nodes, weights, outputs=("out", [1, "t", 2])) / "model.onnx"


def rewritten(source, outliers):
    model = onnx.load(str(source))
    exact = ease_outliers(model, outliers)
    onnx.checker.check_model(model)
    return model, exact


@pytest.mark.parametrize("outliers", [{}, EASED, REMOVED], ids=["none", "eased", "removed"])
def test_the_same_in_float32(source, outliers):
    model, _ = rewritten(source, outliers)
    (rows,) = Session(model.SerializeToString()).run(IDS)
    # (1, 1, 100): 1 + 3 + 0, -2 + .5 + 25 and 2 + 0 + 50, 1 - 1 + 0.
    assert rows[0].tolist() == [56.0, 23.5]
    assert rows.tolist() == (TABLE[IDS[0]] @ (LEFT + RIGHT)).tolist()


def test_what_products_share_is_divided_once(source):
    model, exact = rewritten(source, EASED)
    assert [node.op_type for node in model.graph.node].count("Mul") == 1
    assert exact == []


def test_channels_that_are_removed_stay_in_float32(source):
    model, exact = rewritten(source, REMOVED)
    assert exact == ["left/exact", "right/exact"]
    products = {node.name for node in model.graph.node if node.op_type == "MatMul"}
    assert products == {"left", "right", *exact}
    weights = {tensor.name for tensor in model.graph.initializer}
    assert not weights & {"LEFT", "RIGHT"}  # nothing is stored that nobody reads


def error_in_int8(source, tmp_path, outliers):
    model = quantise(lambda: source, "origin", folder=tmp_path / "cache", outliers=outliers)
    found = Session(model).run(np.array([[2, 3, 2, 1]]))
    return np.abs(found[0] - TABLE[[2, 3, 2, 1]] @ (LEFT + RIGHT)).max()


def test_ordinary_channels_keep_their_precision_in_int8(source, tmp_path):
    plain, eased, removed = (
        error_in_int8(source, tmp_path / name, outliers)
        for name, outliers in [("plain", {}), ("eased", EASED), ("removed", REMOVED)]
    )
    assert plain > 0.4  # a step is 101 / 255
    assert eased < plain / 4
    assert removed < plain / 8


def attention():
    """One head that attends to itself; the mask is made of an input, as exporters do."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["x"]),
        helper.make_node("Cast", ["attention_mask"], ["seen"], to=1),
        helper.make_node("Sub", ["seen", "one"], ["unseen"]),
        helper.make_node("Unsqueeze", ["unseen", "across"], ["row"]),
        helper.make_node("Unsqueeze", ["unseen", "down"], ["column"]),
        helper.make_node("Add", ["row", "column"], ["bias"]),
        helper.make_node(
            "MultiHeadAttention",
            ["x", "x", "x", "", "", "bias"],
            ["out"],
            num_heads=1,
            domain="com.microsoft",
        ),
    ]
    table = np.random.default_rng(1).standard_normal((7, 8)).astype(np.float32)
    axes = {"across": np.array([1, 2]), "down": np.array([1, 3])}
    return nodes, {"table": table, "one": np.float32(1), **axes}


def test_a_text_that_is_run_alone_needs_no_mask(tiny):
    nodes, constants = attention()
    folder = tiny(
        nodes, constants, outputs=("out", [1, "t", 8]), inputs=("input_ids", "attention_mask")
    )
    model = onnx.load(str(folder / "model.onnx"))
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    before = Session(model.SerializeToString()).run(np.array([[3, 1, 4, 1, 5]]))
    drop_mask(model)
    assert [node.op_type for node in model.graph.node] == ["Gather", "MultiHeadAttention"]
    after = Session(model.SerializeToString()).run(np.array([[3, 1, 4, 1, 5]]))
    assert after == pytest.approx(before, abs=1e-6)
    assert np.abs(after).max() > 0.5
