import sys
from types import ModuleType

import numpy as np
import pytest

from assay.errors import InputError
from assay.extras import install_command
from assay.models.embedders import sentence_transformers as module
from assay.models.open_embedder import open_embedder


class Tensor:
    """A stand-in for a tensor of torch."""

    def __init__(self, numbers):
        self.numbers = np.array(numbers, dtype=np.float32)

    def detach(self):
        return self

    cpu = float = detach

    def numpy(self):
        return self.numbers


class StandIn:
    """A stand-in for the package's model: a text's vector is (its length, 1), of length 1."""

    weights = (1.0,)
    max_seq_length = 256
    asked: list

    def __init__(self, name, device=None):
        if name == "missing":
            raise OSError("missing is not a folder")
        self.tokenizer = self
        self.asked = []

    def encode(self, text, *, add_special_tokens=None, **options):
        if add_special_tokens is False:
            return text.split()
        assert options == {"normalize_embeddings": True, "show_progress_bar": False}
        self.asked.append(text)
        vector = np.array([len(text), 1.0])
        return vector / np.linalg.norm(vector)

    def state_dict(self):
        return {"weight": Tensor(self.weights)}


class Asymmetric(StandIn):
    """A newer one, which tells questions and documents apart."""

    def encode_query(self, text, **options):
        return self.encode(f"query: {text}", **options)


@pytest.fixture
def package(monkeypatch):
    fake = ModuleType("sentence_transformers")
    fake.SentenceTransformer = StandIn
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)
    monkeypatch.setattr(module, "version", lambda name: "1.0")
    return fake


def opened(tmp_path, name="any"):
    return open_embedder(f"sentence-transformers:{name}", folder=tmp_path)


def test_one_text_at_a_time(package, tmp_path):
    model = opened(tmp_path)
    vectors = model.embed(["abc", "", "abc"])
    assert vectors[0] == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert vectors[0].tolist() == vectors[2].tolist()
    assert not vectors[1].any()
    assert (model.dimension, model.count("a b c")) == (2, 3)
    assert model._model.asked.count("abc") == 1


def test_questions_are_told_apart_where_the_model_does(package, tmp_path):
    package.SentenceTransformer = Asymmetric
    model = opened(tmp_path)
    assert (model.embed(["abc"], query=True) != model.embed(["abc"])).any()


def test_fingerprint_follows_weights_and_versions(package, tmp_path, monkeypatch):
    plain = opened(tmp_path).fingerprint
    assert opened(tmp_path).fingerprint == plain
    monkeypatch.setattr(StandIn, "weights", (2.0,))
    other = opened(tmp_path).fingerprint
    monkeypatch.setattr(module, "version", lambda name: "2.0")
    assert len({plain, other, opened(tmp_path).fingerprint}) == 3


class Pooling:
    """A stand-in for a module of such a model."""

    mode = "mean"

    def get_config_dict(self):
        return {"mode": self.mode}


def test_fingerprint_follows_prompts_and_modules(package, tmp_path, monkeypatch):
    monkeypatch.setattr(StandIn, "children", lambda _: [Pooling(), object()], raising=False)
    found = {opened(tmp_path).fingerprint}
    monkeypatch.setattr(Pooling, "mode", "cls")
    found.add(opened(tmp_path).fingerprint)
    monkeypatch.setattr(StandIn, "prompts", {"query": "query: "}, raising=False)
    found.add(opened(tmp_path).fingerprint)
    assert len(found) == 3
    assert opened(tmp_path).fingerprint in found


def test_a_model_that_cannot_be_loaded(package, tmp_path):
    with pytest.raises(InputError, match="cannot be loaded") as caught:
        opened(tmp_path, "missing")
    assert caught.value.where == "sentence-transformers:missing"


def test_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match="package sentence-transformers") as caught:
        opened(tmp_path)
    assert caught.value.hint == install_command("sentence-transformers")


@pytest.mark.parametrize(
    ("device", "there", "passed"),
    [("cpu", True, "cpu"), ("cpu", False, "cpu"), ("cuda", True, "cuda"), ("auto", True, None)],
)
def test_the_device_is_passed_on_and_named(package, tmp_path, monkeypatch, device, there, passed):
    torch(monkeypatch, there)
    opened, asked = StandIn.__init__, []

    def noted(self, name, device=None):
        asked.append(device)
        self.device = device or "cuda:0"  # what the package would choose
        opened(self, name)

    monkeypatch.setattr(StandIn, "__init__", noted)
    monkeypatch.setattr(module, "gpu_name", lambda: "NVIDIA A10")
    model = open_embedder({"model": "sentence-transformers:any", "device": device}, folder=tmp_path)
    assert asked == [passed]
    assert model.device == ("cpu" if device == "cpu" else f"{passed or 'cuda:0'} (NVIDIA A10)")
    other = "cuda" if device == "cpu" and there else "cpu"
    again = open_embedder({"model": "sentence-transformers:any", "device": other}, folder=tmp_path)
    assert (again.fingerprint == model.fingerprint) == (again.device == model.device)


def test_without_a_gpu(package, tmp_path, monkeypatch):
    torch(monkeypatch, False)
    with pytest.raises(InputError, match="torch finds no GPU") as caught:
        open_embedder({"model": "sentence-transformers:any", "device": "cuda"}, folder=tmp_path)
    assert "a build of torch with CUDA" in caught.value.hint


def torch(monkeypatch, there):
    """Let a stand-in for torch say whether there is a GPU."""
    fake = ModuleType("torch")
    fake.cuda = ModuleType("torch.cuda")
    fake.cuda.is_available = lambda: there
    monkeypatch.setitem(sys.modules, "torch", fake)
