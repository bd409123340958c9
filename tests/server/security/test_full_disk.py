"""A disk that is full: uploads are refused, nothing half-written stays, and reading goes on."""

import errno
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.server.process import running_service
from tests.server.security.routes import protected_client

from assay.server.security.known_tokens import KnownTokens
from assay.workflows.uploads import read_upload
from assay.workspace.locate import Workspace
from assay.workspace.store import tokens

MB = 1024 * 1024
SIZE_MB = 24
QUERIES = 400


@contextmanager
def small_disk():
    """A file system of its own, which only the superuser can make."""
    place = tempfile.mkdtemp()
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", place]
    made = subprocess.run(words, capture_output=True, check=False, timeout=60).returncode == 0
    try:
        yield Path(place) if made else None
    finally:
        if made:
            subprocess.run(["umount", "--lazy", place], check=True, timeout=60)
        Path(place).rmdir()


def is_superuser():
    """Whether a file system can be made; where not, the last test of this file is all there is."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with small_disk() as place:
        return place is not None


def dataset(size):
    """A dataset of so many bytes at least, as a file."""
    queries = [
        {
            "query_key": f"q{number}",
            "query_text": f"{number} " + "x" * (size // QUERIES),
            "relevant_docs": [{"doc_ref": {"document_id": "d"}, "relevance_grade": 1}],
        }
        for number in range(QUERIES)
    ]
    return json.dumps({"metadata": {"name": "n"}, "queries": queries}).encode()


def fill(disk, left):
    """Leave so many bytes of a disk."""
    free = shutil.disk_usage(disk).free - left
    with (disk / "filler").open("wb") as file:
        while free > 0:
            free -= file.write(b"\0" * min(MB, free))


def refused_as_full(answer):
    status, _, problem = answer
    assert (status, problem["type"]) == (507, "urn:assay:problem:disk-full"), problem


if is_superuser():

    @pytest.mark.service
    @pytest.mark.timeout(300)
    def test_a_service_on_a_full_disk_goes_on():
        with small_disk() as disk:
            environment = {"TMPDIR": str(disk / "tmp")}
            (disk / "tmp").mkdir()
            options = ("--workers", "0", "--retention-days", "0")
            with running_service(disk / "w", *options, env=environment) as service:
                small, large = dataset(50_000), dataset(4 * MB)
                assert service.upload("/api/v1/datasets", small)[0] == 201
                fill(disk, 200_000)
                before = sorted(one.name for one in (disk / "w").rglob("*"))
                for _ in range(3):  # of 4 MB, of which not even the upload fits
                    refused_as_full(service.upload("/api/v1/datasets", large))
                (disk / "filler").unlink()
                fill(disk, 5 * MB)
                for _ in range(3):  # it fits, but not what is made of it
                    refused_as_full(service.upload("/api/v1/datasets", large))
                assert not any((disk / "tmp").iterdir())
                left = sorted(one.name for one in (disk / "w").rglob("*"))
                assert set(left) - set(before) <= {"uploads", ".gitignore"}
                status, _, page = service.ask("GET", "/api/v1/datasets")
                assert (status, len(page["items"])) == (200, 1)
                identity = page["items"][0]["id"]
                assert service.ask("GET", f"/api/v1/datasets/{identity}/queries")[0] == 200
                (disk / "filler").unlink()
                answer = service.upload("/api/v1/datasets", large, fields={"name": "second"})
                assert answer[0] == 201
                assert service.stop() == 0
                assert not [line for line in service.log if "Traceback" in line]

    @pytest.mark.timeout(300)
    def test_all_can_be_read_on_a_full_disk(make_service, monkeypatch):
        monkeypatch.setattr(tokens, "SEEN_S", 0.0)
        monkeypatch.setattr(KnownTokens, "fresh", lambda *_: None)  # each request asks the store
        with small_disk() as disk:
            service = make_service(place=Workspace(disk / "w"))
            token = service.store.tokens.create("a", "admin", author="test").plain
            with protected_client(service) as client:
                client.as_(token)
                assert client.get("/api/v1/datasets").status_code == 200
                fill(disk, 0)
                used = service.store.tokens.page().items[0].last_used
                for path in ("/api/v1/datasets", "/api/v1/benchmarks", "/api/v1/health"):
                    assert [client.get(path).status_code for _ in range(3)] == [200] * 3, path
                assert service.store.tokens.page().items[0].last_used == used
                body = {"name": "b", "role": "viewer"}
                answer = client.post("/api/v1/tokens", json=body)
                refused_as_full((answer.status_code, answer.headers, answer.json()))
            service.ledger.close()
            service.store.close()


def test_an_upload_that_cannot_be_written_is_refused(make_service, monkeypatch):
    service = make_service()
    token = service.store.tokens.create("a", "editor", author="test").plain

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with protected_client(service) as client:
        client.as_(token)
        files = {"file": ("a.json", dataset(10_000))}
        monkeypatch.setattr(read_upload, "_write", full)
        answer = client.post("/api/v1/datasets", files=files)
        refused_as_full((answer.status_code, answer.headers, answer.json()))
        assert {one.name for one in service.settings.uploads.iterdir()} <= {".gitignore"}
        monkeypatch.undo()
        assert client.post("/api/v1/datasets", files=files).status_code == 201
