"""What the machine lacks gets one message that says what to do about it."""

import errno
import os
import re

import pytest

from assay import cli
from assay.errors import InputError
from assay.workspace.disk import faults

MANY = OSError(errno.EMFILE, os.strerror(errno.EMFILE), "index.sqlite")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "not enough memory"),
        (ImportError("x.so: failed to map segment from shared object"), "not enough memory"),
        (ImportError("x.so: cannot open shared object file: Too many open files"), "ulimit -n"),
        (MANY, "too many files are open.*\n.*ulimit -n"),
        (OSError(errno.EACCES, "Permission denied", "a\nb"), r"a\\nb: Permission denied"),
        (OSError(errno.ENOSPC, "No space left on device"), "standard output: cannot be written"),
    ],
)
def test_it_gets_one_message(monkeypatch, capfd, error, told):
    def fail(_arguments):
        raise error

    monkeypatch.setattr(cli, "_invoke", fail)
    monkeypatch.setattr(cli, "_discard_output", lambda: None)
    assert cli.start(["eval"]) == 2
    message = capfd.readouterr().err
    assert message.startswith("error: ")
    assert re.search(told, message)


def test_too_few_files_are_told_as_such_where_sqlite_only_cannot_open_one(monkeypatch, tmp_path):
    def refuse(*_):
        raise MANY

    error = faults.sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = faults.sqlite3.SQLITE_CANTOPEN
    monkeypatch.setattr(faults.os, "open", refuse)
    told = r"too many files are open.*\n.*ulimit"
    with pytest.raises(InputError, match=told), faults.explained(tmp_path):
        raise error
