"""Texts that tests expect, in a file beside each test module; `make golden` writes them again.

A test that is about wording compares it with `snapshot(text)`. What must hold whatever the wording
(a place, a number, a name) belongs in an assertion of its own.
"""

import os
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import pytest

WRITE = os.environ.get("ASSAY_GOLDEN") == "write"
HEAD, INDENT = "# ", "    "
written = defaultdict(dict)  # texts by name, for each file


@pytest.fixture
def snapshot(request):
    """Compare a text, lines or an error with the stored ones, in the order of the calls."""
    path = expected_path(Path(request.path))
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    count = 0

    def compare(value):
        nonlocal count
        count += 1
        name = request.node.name if count == 1 else f"{request.node.name} {count}"
        text = as_text(value)
        text = text.replace(str(folder), "TMP") if folder else text
        if WRITE:
            written[path][name] = text
            return
        assert text == stored(path).get(name), f"{path.name} has another text; see `make golden`"

    return compare


def as_text(value):
    """Return lines without blanks at their ends, which editors remove."""
    text = value if isinstance(value, str | Exception) else "\n".join(value)
    return "\n".join(line.rstrip() for line in str(text).splitlines()).rstrip("\n")


def expected_path(module):
    return module.with_name("expected") / f"{module.stem}.txt"


@lru_cache
def stored(path):
    """Read the texts of a file by the names of their tests."""
    found = {}
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else ():
        if line.startswith(HEAD):
            found[line.removeprefix(HEAD)] = lines = []
        elif found:
            lines.append(line.removeprefix(INDENT))
    return {name: "\n".join(lines).rstrip("\n") for name, lines in found.items()}


def pytest_collection_modifyitems(items):
    """Mark the tests that compare texts, so that they can be run alone."""
    for item in items:
        if "snapshot" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.snapshot)


def pytest_sessionfinish():
    """Write what was compared; other texts of the same file stay."""
    for path, texts in written.items():
        path.parent.mkdir(exist_ok=True)
        every = sorted({**stored(path), **texts}.items())
        lines = [line for name, text in every for line in (HEAD + name, *_indented(text))]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _indented(text):
    return [f"{INDENT}{line}" if line else "" for line in text.splitlines()]
