"""Models for the tests: the embedded one, opened once, and tiny ones that can be worked by hand."""

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.processors import TemplateProcessing

from assay.models.embedders.minilm import minilm

WORDS = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "b": 4, "c": 5, "d": 6}


@pytest.fixture(scope="session")
def model(cache):
    return minilm(folder=cache, threads=2)


@pytest.fixture
def tiny(tmp_path):
    """Make a folder with a model whose graph is one node, and a tokenizer of seven words."""

    def make(node, table, *, outputs=("out", None), name="tiny", inputs=("input_ids",)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "model.onnx").write_bytes(graph(node, table, outputs, inputs))
        words().save(str(folder / "tokenizer.json"))
        return folder

    return make


def words():
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    # As the wheel's tokenizer does: whoever opens it must reset both.
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=4)
    return tokenizer


def graph(nodes, table, outputs, inputs):
    from onnx import TensorProto, helper, numpy_helper

    given = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "t"]) for name in inputs]
    name, shape = outputs
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)]
    constants = [numpy_helper.from_array(np.asarray(value), key) for key, value in table.items()]
    body = helper.make_graph(nodes, "tiny", given, made, constants)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return model.SerializeToString()
