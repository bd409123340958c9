"""Indexing and searching never ask the network: it is taken away, and nothing is missed."""

import os
import shutil
import subprocess
import sys

import pytest

# Python tells its audit hooks of every socket that it uses, whichever module does.
NO_NETWORK = """
import sys

def refuse(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        raise RuntimeError(f"the network was asked: {event} {arguments}")
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        if arguments[0].family.name in ("AF_INET", "AF_INET6"):
            raise RuntimeError(f"the network was asked: {event} {arguments[1:]}")
    if event == "urllib.Request":
        raise RuntimeError(f"the network was asked: {arguments[0]}")

sys.addaudithook(refuse)
"""
GONE = ("HF_", "ASSAY", "ORT_")  # what could keep a library from the network in our place
ASKING = "import socket; socket.create_connection(('127.0.0.1', 9), timeout=1)"
FILES = {
    "retry.py": "def wait_before_retry(attempt):\n    return 2**attempt\n",
    "guide.md": "# Guide\n\n## Failing\n\nRequests that fail are sent once more.\n",
    "main.go": "package main\n\nfunc Connect(host string) error {\n\treturn nil\n}\n",
}


@pytest.fixture
def project(tmp_path):
    """A folder, and nothing else: no workspace, no prepared model."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def environment(tmp_path):
    """An environment in which Python refuses the network, and no library is told to be offline."""
    (tmp_path / "collection").mkdir()
    (tmp_path / "collection" / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(GONE)}
    path = os.pathsep.join(
        filter(None, [str(tmp_path / "collection"), os.environ.get("PYTHONPATH")])
    )
    cache = {"ASSAY_CACHE": str(tmp_path / "cache"), "XDG_CACHE_HOME": str(tmp_path / "other")}
    cache |= {"HOME": str(tmp_path / "home")}
    return {**kept, **cache, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


def run(*command, env):
    return subprocess.run(
        [str(each) for each in command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=env,
        timeout=120,
        check=False,
    )


def _indexed_and_found(project, environment, before=()):
    assay = [*before, sys.executable, "-m", "assay"]
    workspace = ["--workspace", project.parent / "workspace"]
    indexed = run(*assay, "index", project, *workspace, env=environment)
    found = run(
        *assay, "search", project, "try a failed request again", *workspace, env=environment
    )

    assert indexed.returncode == 0, indexed.stderr
    assert "3 documents" in indexed.stdout
    assert found.returncode == 0, found.stderr
    assert "guide.md" in found.stdout.splitlines()[0]


def test_the_refusal_works(environment):
    refused = run(sys.executable, "-c", ASKING, env=environment)

    assert refused.returncode == 1
    assert "the network was asked" in refused.stderr


def test_the_default_search_needs_no_network(project, environment):
    _indexed_and_found(project, environment)

    made = {path.name for path in project.parent.iterdir()}
    assert made == {"project", "collection", "cache", "workspace"}  # and nothing in the home folder


def test_the_default_search_works_where_there_is_no_network(project, environment):
    """Also code that is not Python's is held back: the system gives no network at all."""
    before = _without_network()
    refused = run(*before, sys.executable, "-c", ASKING, env={**environment, "PYTHONPATH": ""})
    assert "unreachable" in refused.stderr.lower()

    _indexed_and_found(project, environment, before)


def _without_network():
    """Find the command that runs another in a network of its own, without any device in it."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare on this system")
    for options in (["-n"], ["-r", "-n"]):
        if run("unshare", *options, "true", env=dict(os.environ)).returncode == 0:
            return ["unshare", *options]
    pytest.skip("this system does not let us take the network away")
