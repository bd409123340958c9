"""What the machine lacks gets one message that says what to do about it."""

import errno
import os

import pytest

from assay import cli
from assay.errors import InputError
from assay.workspace.disk import faults

MANY = OSError(errno.EMFILE, os.strerror(errno.EMFILE), "index.sqlite")


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (MemoryError(), "memory"),
        (ImportError("x.so: failed to map segment from shared object"), "memory"),
        (ImportError("x.so: cannot open shared object file: Too many open files"), "ulimit -n"),
        (MANY, "ulimit -n"),
        (OSError(errno.EACCES, "Permission denied", "a\nb"), r"a\nb: "),
        (OSError(errno.ENOSPC, "No space left on device"), "standard output"),
    ],
    ids=["memory", "library", "library of many", "many", "rights", "full"],
)
def test_it_gets_one_message(monkeypatch, capfd, error, named, snapshot):
    def fail(_arguments):
        raise error

    monkeypatch.setattr(cli, "_invoke", fail)
    monkeypatch.setattr(cli, "_discard_output", lambda: None)
    assert cli.start(["eval"]) == 2
    message = capfd.readouterr().err
    assert message.startswith("error: ")
    assert named in message
    snapshot(message)


def test_too_few_files_are_told_as_such_where_sqlite_only_cannot_open_one(
    monkeypatch, tmp_path, snapshot
):
    def refuse(*_):
        raise MANY

    error = faults.sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = faults.sqlite3.SQLITE_CANTOPEN
    monkeypatch.setattr(faults.os, "open", refuse)
    with pytest.raises(InputError, match="ulimit -n") as caught, faults.explained(tmp_path):
        raise error
    snapshot(caught.value)
