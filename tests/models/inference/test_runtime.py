"""Nothing is sent: the runtime asks no host, and leaves nothing where its telemetry would."""

import os
import shutil
import subprocess
import sys

import pytest

EMBEDDED = """
import sys, time
from pathlib import Path
from assay.models.open_embedder import open_embedder
model = open_embedder("minilm", folder=Path(sys.argv[1]))
assert model.embed(["one", "two"]).shape == (2, 384)
time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def environment(tmp_path):
    """A home without anything in it, and nothing said about telemetry."""
    gone = ("ORT_", "ASSAY", "XDG_", "HOME")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(gone)}
    return {**kept, "HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home/cache")}


def embed(tmp_path, environment, *before, wait=0):
    (tmp_path / "home").mkdir()
    command = [*before, sys.executable, "-c", EMBEDDED, str(tmp_path / "models"), str(wait)]
    ran = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_embedding_leaves_nothing_in_the_home_folder(tmp_path, environment):
    embed(tmp_path, environment)

    assert list((tmp_path / "home").rglob("*")) == []
    assert [path.suffix for path in (tmp_path / "models").iterdir()] == [".onnx"]


@pytest.mark.long
def test_embedding_opens_no_socket(tmp_path, environment):
    """Python hears nothing of the sockets of a library, but the system does."""
    if shutil.which("strace") is None:
        pytest.skip("there is no strace on this system")
    told = tmp_path / "told"
    before = ["strace", "-f", "-e", "trace=network", "-o", str(told)]
    if subprocess.run([*before, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system does not let us trace a process")
    # Telemetry looks its host up some nine seconds after the import.
    embed(tmp_path, environment, *before, wait=10)

    assert "exited with 0" in told.read_text()
    # Not every socket is of the network: libuuid asks one for the names of devices.
    assert "sa_family=AF_INET" not in told.read_text()
