"""What the start of the service costs: modules, memory, time; and connections that do not wait."""

import socket
import subprocess
import sys
import time

import psutil
import pytest
from tests.server.process import running_service

from assay.server.serve import open_socket

pytestmark = pytest.mark.service

CPU_S = 4.0  # several times what it takes; performance/service measures the time until then
MEMORY_MB = 150.0
HEAVY = ("numpy", "scipy", "polars", "pandas", "pyarrow", "faiss", "onnxruntime", "onnx")
HEAVY += ("tokenizers", "tantivy", "altair", "vl_convert", "tree_sitter", "rich", "jinja2")
LIST_MODULES = """
import os, sys
from assay.cli import start

def serve(line):
    print(*sorted({name.partition(".")[0] for name in sys.modules}), flush=True)
    os._exit(0)

import click
click.echo = serve
start(["serve", "--port", "0", "--workers", "0", "--workspace", sys.argv[1]])
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """A workspace that a service was started on before."""
    place = tmp_path_factory.mktemp("start")
    with running_service(place, "--workers", "0"):
        pass
    return place


def test_start_to_the_first_answer(workspace, capsys):
    began = time.monotonic()
    with running_service(workspace, "--workers", "0") as service:
        assert service.ask("GET", "/api/v1/health")[0] == 200
        took = time.monotonic() - began
        used = psutil.Process(service.process.pid).cpu_times()
    cpu_s = used.user + used.system
    with capsys.disabled():
        sys.stderr.write(f"first answer after {took:.2f} s, {cpu_s:.2f} s of CPU time\n")
    assert cpu_s < CPU_S


def test_memory_of_the_idle_process(workspace):
    with running_service(workspace, "--workers", "0") as service:
        for path in ("health", "benchmarks", "datasets", "mappings", "corpora", "progress"):
            assert service.ask("GET", f"/api/v1/{path}")[0] == 200
        used = psutil.Process(service.process.pid).memory_info().rss / 1024**2
    assert used < MEMORY_MB


def test_heavy_libraries_are_not_loaded_before_they_are_needed(workspace):
    found = subprocess.run(
        [sys.executable, "-c", LIST_MODULES, str(workspace)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    loaded = found.stdout.split()
    assert {"assay", "fastapi", "sqlalchemy", "uvicorn"} <= {*loaded}, found.stderr
    assert {*HEAVY} & {*loaded} == set()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_answers_do_not_wait_for_acknowledgements(host):
    with open_socket(host, 0) as listening:
        with socket.create_connection(listening.getsockname()[:2]):
            connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
