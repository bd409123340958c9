"""Equivalent changes to a model's graph: less work, and less error once it is int8."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from assay.records.arrays import Ints
from assay.records.model import Vectors

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

__all__ = ["Outliers", "drop_mask", "ease_outliers"]

Outliers: TypeAlias = Mapping[str, Mapping[int, float]]
"""By the name of a product: outlier channels of its input, each with what divides it.

A divisor of infinity removes the channel from the product; it is multiplied in float32 instead.
"""
BIAS = 5  # the input of MultiHeadAttention that masks padding, by what it adds to the scores


def drop_mask(model: "ModelProto") -> None:
    """Remove the mask of padding: a text that is run alone has none."""
    for node in model.graph.node:
        if node.op_type == "MultiHeadAttention" and len(node.input) > BIAS:
            node.input[BIAS] = ""
    _replace_nodes(model, list(model.graph.node))


def ease_outliers(model: "ModelProto", outliers: Outliers) -> list[str]:
    """Keep outliers from costing other channels their precision in int8, where all share one step.

    What divides a channel multiplies its weights (Xiao et al., "SmoothQuant", 2023), or its product
    is computed and added in float32 (Dettmers et al., "LLM.int8()", 2022). Returns the names of
    those products, which must not be quantised.
    """
    easing = _Easing(model)
    nodes = [new for node in model.graph.node for new in easing.ease(node, outliers)]
    _replace_nodes(model, nodes)
    return easing.exact


class _Easing:
    """Rewrites one product after the other; ``exact`` are the names of products it added."""

    def __init__(self, model: "ModelProto") -> None:
        self.exact: list[str] = []
        self._constants = model.graph.initializer
        self._weights = {its.name: its for its in model.graph.initializer}
        self._divided: dict[tuple[str, bytes], str] = {}  # inputs, for all products of one

    def ease(self, node: "NodeProto", outliers: Outliers) -> Iterator["NodeProto"]:
        """Yield a node as it is, or what replaces it."""
        divisors = outliers.get(node.name)
        if divisors is None:
            yield node
            return
        source, weights = node.input[0], self._read(node.input[1])
        factors = np.ones(len(weights), np.float32)
        factors[list(divisors)] = list(divisors.values())
        few = np.flatnonzero(np.isinf(factors))
        yield from self._divide(node, factors)
        factors[few] = 0
        node.input[1] = self._keep(f"{node.name}/weights", weights * factors[:, None])
        yield node
        if len(few):
            yield from self._add_few(node, source, few, weights[few])

    def _divide(self, node: "NodeProto", factors: Vectors) -> Iterator["NodeProto"]:
        """Let a product read its input with outliers divided, or set to 0."""
        asked = (node.input[0], factors.tobytes())
        if asked not in self._divided:
            self._divided[asked] = f"{node.name}/eased"
            scale = self._keep(f"{node.name}/scale", np.reciprocal(factors))
            yield _node("Mul", [node.input[0], scale], f"{node.name}/eased")
        node.input[0] = self._divided[asked]

    def _add_few(
        self, node: "NodeProto", source: str, few: Ints, weights: Vectors
    ) -> Iterator["NodeProto"]:
        """Multiply the channels that were removed in float32, and add them to the product."""
        name, output = node.name, node.output[0]
        node.output[0] = f"{name}/others"
        channels = self._keep(f"{name}/channels", few)
        yield _node("Gather", [source, channels], f"{name}/removed", axis=-1)
        yield _node(
            "MatMul", [f"{name}/removed", self._keep(f"{name}/few", weights)], f"{name}/exact"
        )
        yield _node("Add", [f"{name}/others", f"{name}/exact"], output)
        self.exact.append(f"{name}/exact")

    def _read(self, name: str) -> Vectors:
        from onnx import numpy_helper

        values: Vectors = numpy_helper.to_array(self._weights[name])
        return values

    def _keep(self, name: str, values: Vectors | Ints) -> str:
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(values, name))
        return name


def _node(kind: str, inputs: list[str], output: str, *, axis: int | None = None) -> "NodeProto":
    from onnx import helper

    return helper.make_node(kind, inputs, [output], name=output, axis=axis)


def _replace_nodes(model: "ModelProto", nodes: Iterable["NodeProto"]) -> None:
    """Give a graph these nodes, without nodes and weights that no output needs."""
    graph = model.graph
    needed = {output.name for output in graph.output}
    used = []
    for node in reversed(list(nodes)):
        if needed.intersection(node.output):
            needed.update(node.input)
            used.append(node)
    weights = [its for its in graph.initializer if its.name in needed]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(reversed(used))
    graph.initializer.extend(weights)
