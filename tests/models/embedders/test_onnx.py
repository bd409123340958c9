import math

import numpy as np
import pytest
from onnx import helper
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordLevel

from assay.errors import InputError
from assay.models.embedders.onnx import onnx
from assay.models.open_embedder import open_embedder

# A model that looks each token up: [UNK], [CLS], [SEP], a, b, c, d.
TABLE = np.array(
    [[0, 0], [0, 0], [0, 0], [3, 0], [0, 4], [1, 1], [0, 0]],
    dtype=np.float32,
)


@pytest.fixture
def folder(tiny):
    node = helper.make_node("Gather", ["table", "input_ids"], ["out"])
    return tiny([node], {"table": TABLE}, outputs=("out", [1, "t", 2]))


def test_mean_of_all_tokens_by_hand(folder):
    # [CLS] a b [SEP]: (3, 0) + (0, 4) over 4 tokens, of length 1: (3, 4) / 5
    vectors = onnx(str(folder)).embed(["a b", "a", "b a"])
    assert vectors.tolist() == [
        pytest.approx([0.6, 0.8]),
        [1.0, 0.0],
        pytest.approx([0.6, 0.8]),
    ]
    assert vectors.dtype == np.float32


def test_windows_by_hand(folder):
    # Windows "a a" and "b": means (6, 0) / 4 and (0, 4) / 3, weighted by their tokens 2 and 1.
    model = onnx(str(folder), window=2)
    (vector,) = model.embed(["a a b"])
    # Nearly equal windows: "a" and "a b", of means (1, 0) and (3/4, 1).
    total = np.array([1 * 1 + 2 * 0.75, 2 * 1.0])
    assert vector == pytest.approx(total / math.hypot(*total))
    assert (model.split, model.cut) == (1, 0)


def test_cut_reads_the_first_window_alone(folder):
    model = onnx(str(folder), window=2, long="cut")
    assert model.embed(["a a b b b"]).tolist() == [[1.0, 0.0]]
    assert (model.split, model.cut) == (0, 1)


def test_a_window_holds_its_size_in_tokens_of_the_text(folder):
    model = onnx(str(folder), window=3)
    model.embed(["a b a"])
    assert model.split == 0
    model.embed(["a b a b"])
    assert model.split == 1


def test_the_windows_of_one_text_are_bounded(folder):
    model = onnx(str(folder), window=2)
    (vector,) = model.embed(["a " * 128 + "b " * 50])
    assert vector.tolist() == [1.0, 0.0]  # 64 windows of 2: all a
    assert model.cut == 1


def test_padding_and_truncation_of_the_tokenizers_file_are_reset(folder):
    model = onnx(str(folder))
    assert model.count("a b c d a b c d") == 8
    (far,) = model.embed(["c c c c c c a"])
    assert far.tolist() != model.embed(["c c c c c c c"])[0].tolist()


def test_no_token_is_zeros_and_zero_vectors_stay_zeros(folder):
    model = onnx(str(folder))
    assert model.embed(["", "  \n", "d"]).tolist() == [[0.0, 0.0]] * 3
    assert model.embed([]).shape == (0, 2)


def test_token_vectors_by_hand(folder):
    first, none, zero = onnx(str(folder)).embed_tokens(["a c", "", "d"])
    assert first == pytest.approx(np.array([[1, 0], [0.5**0.5, 0.5**0.5]]))
    assert none.shape == (0, 2)
    assert zero.tolist() == [[0.0, 0.0]]


def test_token_vectors_across_windows(folder):
    model = onnx(str(folder), window=2)
    (matrix,) = model.embed_tokens(["a b a b a"])
    assert matrix.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]]


def test_cls_pooling(tiny):
    table = TABLE.copy()
    table[1] = [0, 2]
    node = helper.make_node("Gather", ["table", "input_ids"], ["out"])
    folder = tiny([node], {"table": table}, outputs=("out", [1, "t", 2]))
    assert onnx(str(folder), pooling="cls").embed(["a a a"]).tolist() == [[0.0, 1.0]]


def test_a_model_that_pools_itself(tiny):
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceMean", ["rows"], ["out"], axes=[1], keepdims=0),
    ]
    folder = tiny(nodes, {"table": TABLE}, outputs=("out", [1, 2]))
    model = onnx(str(folder))
    assert model.embed(["a b"])[0] == pytest.approx([0.6, 0.8])
    with pytest.raises(InputError, match="token vectors"):
        model.embed_tokens(["a b"])


def test_fingerprint_follows_files_and_settings(tiny, folder):
    plain = onnx(str(folder)).fingerprint
    assert onnx(str(folder)).fingerprint == plain
    assert onnx(str(folder), threads=1).fingerprint == plain
    others = [{"window": 9}, {"long": "cut"}, {"pooling": "cls"}]
    found = {onnx(str(folder), **settings).fingerprint for settings in others}
    assert len(found | {plain}) == 4
    node = helper.make_node("Gather", ["table", "input_ids"], ["out"])
    other = tiny([node], {"table": TABLE * 2}, outputs=("out", [1, "t", 2]), name="other")
    assert onnx(str(other)).fingerprint != plain


def test_fingerprint_follows_weights_in_a_file_of_any_name(folder):
    import onnx as library

    model = library.load(str(folder / "model.onnx"))
    for table in (TABLE, TABLE * 2):
        del model.graph.initializer[:]
        model.graph.initializer.append(library.numpy_helper.from_array(table, "table"))
        library.save(
            model,
            str(folder / "model.onnx"),
            save_as_external_data=True,
            location="weights.bin",
            size_threshold=0,
        )
        graph = (folder / "model.onnx").read_bytes()
        yield_of = onnx(str(folder)).fingerprint
        if table is TABLE:
            first, before = yield_of, graph
            (folder / "weights.bin").unlink()
    assert graph == before  # only the weights differ
    assert yield_of != first
    (folder / "README").write_text("says nothing of vectors")
    assert onnx(str(folder)).fingerprint == yield_of


def test_opened_by_its_path_alone(folder):
    model = open_embedder(str(folder), folder=folder)
    assert (model.name, model.dimension) == ("tiny", 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pooling": "max"}, 'pooling .*"max"'),
        ({"long": "stretch"}, '"stretch" for long'),
        ({"window": 0}, "window .*0"),
        ({"threads": 0}, "threads: 0"),
    ],
)
def test_settings_that_cannot_be(folder, settings, message, snapshot):
    with pytest.raises(InputError, match=message) as caught:
        onnx(str(folder), **settings)
    snapshot([caught.value.problem, caught.value.hint])


def test_a_folder_without_its_files(tmp_path, folder):
    with pytest.raises(InputError, match=r" model\.onnx"):
        onnx(str(tmp_path))
    (folder / "tokenizer.json").unlink()
    with pytest.raises(InputError, match=r" tokenizer\.json"):
        onnx(str(folder))


def test_files_that_are_not_what_they_say(folder):
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(InputError, match=r"model\.onnx: .*onnxruntime"):
        onnx(str(folder))
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match=r"tokenizer\.json: "):
        onnx(str(folder))


def test_a_tokenizer_without_words(folder):
    Tokenizer(WordLevel({})).save(str(folder / "tokenizer.json"))
    with pytest.raises(InputError, match=r'tokenizer .*"a"'):
        onnx(str(folder))
    Tokenizer(BPE()).save(str(folder / "tokenizer.json"))
    with pytest.raises(InputError, match=r"cannot tokenize"):
        onnx(str(folder))


def test_a_window_that_the_model_cannot_read(tiny):
    # The second axis is looked up too, in a table of 6 positions: a seventh token is out of range.
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Slice", ["positions", "zero", "length"], ["some"]),
        helper.make_node("Shape", ["input_ids"], ["length"], start=1),
        helper.make_node("Add", ["rows", "some"], ["out"]),
    ]
    nodes = [nodes[0], nodes[2], nodes[1], nodes[3]]
    table = {"table": TABLE, "positions": np.zeros((6, 2), np.float32), "zero": np.array([0])}
    model = onnx(str(tiny(nodes, table, outputs=("out", [1, "t", 2]))))
    assert model.embed(["a a a a"]).tolist() == [[1.0, 0.0]]
    with pytest.raises(InputError, match="7 tokens") as caught:
        model.embed(["a a a a a"])
    assert "window" in caught.value.hint


def test_a_model_with_inputs_that_are_not_known(tiny):
    node = helper.make_node("Gather", ["table", "pixels"], ["out"])
    folder = tiny([node], {"table": TABLE}, outputs=("out", [1, "t", 2]), inputs=("pixels",))
    with pytest.raises(InputError, match="pixels"):
        onnx(str(folder))
