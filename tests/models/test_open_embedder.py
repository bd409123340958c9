import pytest

from assay.errors import InputError, UnknownNameError
from assay.models.open_embedder import open_embedder
from assay.models.open_reranker import open_reranker


def test_a_word_a_mapping_and_a_model(cache, model):
    assert open_embedder("minilm", folder=cache).fingerprint == model.fingerprint
    smaller = open_embedder({"model": "minilm", "window": 64}, folder=cache)
    assert smaller.fingerprint != model.fingerprint
    assert open_embedder("static", folder=cache).dimension == 256
    assert open_embedder(model, folder=cache) is model


def test_a_mapping_is_not_changed(cache):
    given = {"model": "static", "threads": 1}
    open_embedder(given, folder=cache)
    assert given == {"model": "static", "threads": 1}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("minilm:large", "minilm"),
        ("openai", "openai"),
        ("ollama:", "ollama"),
        ({"model": "minilm", "windows": 3}, '"windows" of minilm'),
        ({"model": "minilm", "folder": "here"}, '"folder" of minilm'),
        ({"model": "static", "window": 3}, '"window" of static'),
        ({"window": 3}, "null"),
        ({"model": ["minilm"]}, '"minilm"'),
        ("", '""'),
        (None, "null"),
        (7, "7"),
        ("onnx:/no/such/folder", "/no/such/folder: "),
        ("/no/such/folder", "/no/such/folder: "),
        ("./small", "small: "),
        ("~/no-such-folder", "/no-such-folder: "),
        ("models/small", 'unknown model "models/small"'),
        ({"model": "minilm", "window": "large"}, '"large" .*window'),
        ({"model": "minilm", "threads": True}, "true .*threads"),
        ({"model": "minilm", "long": 3}, "3 .*long"),
    ],
)
def test_what_cannot_be_opened(cache, given, message, snapshot):
    with pytest.raises(InputError, match=message) as caught:
        open_embedder(given, folder=cache)
    assert caught.value.hint
    snapshot([caught.value.problem, caught.value.hint])


def test_a_name_that_is_nearly_right(cache):
    with pytest.raises(UnknownNameError, match='"minilmm"') as caught:
        open_embedder("minilmm", folder=cache)
    assert "minilm" in caught.value.hint


def test_no_folder_takes_the_place_of_a_model_of_ours(cache, tmp_path, monkeypatch):
    (tmp_path / "minilm").mkdir()
    (tmp_path / "minilm" / "model.onnx").write_bytes(b"of somebody else")
    monkeypatch.chdir(tmp_path)
    assert open_embedder("minilm", folder=cache).name == "minilm"
    with pytest.raises(InputError, match=r" tokenizer\.json"):
        open_embedder("./minilm", folder=cache)


def test_rerankers_by_name():
    with pytest.raises(UnknownNameError, match='"maxim"') as caught:
        open_reranker("maxim")
    assert "maxsim" in caught.value.hint
    with pytest.raises(InputError, match="cross-encoder") as caught:
        open_reranker("cross-encoder")
    assert caught.value.hint == "write e.g. cross-encoder:models/ms-marco-minilm"


def test_hints_spell_names_as_people_write_them(cache):
    with pytest.raises(UnknownNameError, match="sentence-transformer:") as caught:
        open_embedder("sentence-transformer:some/model", folder=cache)
    assert "sentence-transformers:some/model" in caught.value.hint
    with pytest.raises(UnknownNameError) as caught:
        open_reranker("nothing")
    assert "maxsim, cross-encoder:models/" in caught.value.hint


def test_a_folder_without_a_model(cache, tmp_path):
    with pytest.raises(InputError, match=r" model\.onnx") as caught:
        open_embedder(str(tmp_path), folder=cache)
    assert caught.value.where == str(tmp_path)


def test_a_folder_is_a_cross_encoder_among_rerankers(tmp_path):
    with pytest.raises(InputError, match=r" model\.onnx"):
        open_reranker(str(tmp_path))


def test_a_path_with_a_null_or_endless_name(cache):
    for name in ("a\0b", "x" * 5000):
        with pytest.raises(InputError):
            open_embedder(name, folder=cache)
