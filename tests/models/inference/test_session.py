"""How the runtime is set up."""

import numpy as np
import onnx
from onnx import helper

from assay.models.inference import session
from assay.models.inference._runtime import runtime


def test_adding_and_normalising_are_not_fused(tiny, tmp_path):
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["x"]),
        helper.make_node("Gather", ["other", "input_ids"], ["y"]),
        helper.make_node("Add", ["x", "y"], ["sum"]),
        helper.make_node("LayerNormalization", ["sum", "scale", "bias"], ["out"]),
    ]
    tables = {name: np.eye(7, 8, dtype=np.float32) for name in ("table", "other")}
    rows = {name: np.ones(8, np.float32) for name in ("scale", "bias")}
    folder = tiny(nodes, tables | rows, outputs=("out", [1, "t", 8]))
    options = session._options(runtime())
    options.optimized_model_filepath = str(tmp_path / "optimised.onnx")
    runtime().InferenceSession(str(folder / "model.onnx"), options, ["CPUExecutionProvider"])
    kinds = {node.op_type for node in onnx.load(options.optimized_model_filepath).graph.node}
    assert "LayerNormalization" in kinds
    assert "SkipLayerNormalization" not in kinds


def test_what_is_left_out_is_part_of_the_version(tiny):
    node = helper.make_node("Gather", ["table", "input_ids"], ["out"])
    folder = tiny([node], {"table": np.eye(7, dtype=np.float32)}, outputs=("out", [1, "t", 7]))
    opened = session.Session(folder / "model.onnx")
    assert opened.version == f"{runtime().__version__} without SkipLayerNormFusion"
