"""Which device a model computes on. No machine of ours has a GPU: stand-ins say what one offers."""

import os
import sys

import numpy as np
import pytest
from onnx import helper

from assay.errors import InputError
from assay.models.embedders.onnx import onnx
from assay.models.inference import session
from assay.models.inference._runtime import runtime
from assay.models.inference.device import CPU, CUDA, gpu_name, providers_for
from assay.models.rerankers.cross_encoder import cross_encoder

OFFERED = ["TensorrtExecutionProvider", CUDA, CPU]  # by onnxruntime-gpu, with a GPU or without


@pytest.mark.parametrize(
    ("device", "offered", "chosen"),
    [
        ("cpu", [CPU], [CPU]),
        ("cpu", OFFERED, [CPU]),
        ("auto", [CPU], [CPU]),
        ("auto", OFFERED, [CUDA, CPU]),
        ("cuda", OFFERED, [CUDA, CPU]),
    ],
)
def test_the_providers_of_a_device(device, offered, chosen):
    assert providers_for(device, offered, where="model") == chosen


def test_a_device_that_is_not_there_says_what_to_install():
    with pytest.raises(InputError, match="device: cuda is not available") as caught:
        providers_for("cuda", ["AzureExecutionProvider", CPU], where="model")
    assert "onnxruntime-gpu" in caught.value.hint
    with pytest.raises(InputError, match='unknown device "gpu"'):
        providers_for("gpu", OFFERED, where="model")


@pytest.fixture
def gather(tiny):
    """A model that gives the first seven unit vectors to seven words."""
    node = helper.make_node("Gather", ["table", "input_ids"], ["out"])
    table = {"table": np.eye(7, dtype=np.float32)}
    return lambda name="tiny": tiny([node], table, outputs=("out", [1, "t", 7]), name=name)


def test_on_this_machine(gather):
    folder = str(gather())
    plain, chosen = onnx(folder), onnx(folder, device="cpu")
    assert plain.device == chosen.device == CPU
    assert plain.fingerprint == chosen.fingerprint
    if CUDA not in runtime().get_available_providers():
        assert onnx(folder, device="auto").fingerprint == plain.fingerprint
        with pytest.raises(InputError, match="device: cuda is not available"):
            onnx(folder, device="cuda")
        with pytest.raises(InputError, match="device: cuda is not available"):
            cross_encoder(folder, device="cuda")


class StandIn:
    """onnxruntime as it is where CUDA is offered: it computes on the CPU and claims otherwise."""

    def __init__(self, opens):
        self._real, self._opens = runtime(), opens

    def __getattr__(self, name):
        return getattr(self._real, name)

    def get_available_providers(self):
        return OFFERED

    def set_default_logger_severity(self, level):
        pass

    def preload_dlls(self):
        print("Failed to load libcudart.so")  # noqa: T201 - as the real one does

    def InferenceSession(self, source, options, *, providers):  # noqa: N802 - its name there
        made = self._real.InferenceSession(source, options, providers=[CPU])
        if CUDA in providers and self._opens:
            made.get_providers = lambda: [CUDA, CPU]
        return made


@pytest.fixture
def nvidia(tmp_path, monkeypatch):
    """A program that answers as nvidia-smi does on a machine with two GPUs."""
    gpu_name.cache_clear()
    folder = tmp_path / "bin"
    folder.mkdir()
    body = "import sys\nprint(['NVIDIA A10', 'NVIDIA T4'][int(sys.argv[-1])])\n"
    (folder / "nvidia-smi").write_text(f"#!{sys.executable}\n{body}")
    (folder / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    yield
    gpu_name.cache_clear()


def test_what_computes_is_part_of_the_fingerprint(gather, nvidia, monkeypatch, capfd):
    folder = str(gather())
    on_cpu = onnx(folder)
    monkeypatch.setattr(session, "runtime", lambda: StandIn(opens=True))
    first = onnx(folder, device="cuda")
    assert first.device == f"{CUDA} (NVIDIA A10)"
    assert onnx(folder, device="auto").fingerprint == first.fingerprint
    gpu_name.cache_clear()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1,0")
    second = onnx(folder, device="cuda")
    assert second.device == f"{CUDA} (NVIDIA T4)"
    assert len({one.fingerprint for one in (on_cpu, first, second)}) == 3
    assert onnx(folder).fingerprint == on_cpu.fingerprint
    assert cross_encoder(folder, device="cuda").device == second.device
    assert capfd.readouterr().out == ""


def test_a_gpu_that_cannot_be_opened(gather, nvidia, monkeypatch):
    """As onnxruntime-gpu does without a driver: it offers CUDA, and computes on the CPU."""
    monkeypatch.setattr(session, "runtime", lambda: StandIn(opens=False))
    folder = str(gather())
    assert onnx(folder, device="auto").device == CPU
    with pytest.raises(InputError, match="finds no GPU, driver or CUDA library"):
        onnx(folder, device="cuda")


def test_a_gpu_without_a_name(monkeypatch, tmp_path):
    gpu_name.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gpu_name() == "unknown GPU"
    gpu_name.cache_clear()
