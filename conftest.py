"""Run every Python block in the Markdown files, and keep all tests out of the user's folders."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser()], patterns=["*.md"], excludes=[".venv/*", "**/.venv/**"]
).pytest()


@pytest.fixture(autouse=True)
def _no_secrets() -> Iterator[None]:
    """Let no test's secrets be looked for in the messages of another."""
    from assay.text import forget_secrets  # not before coverage and doctests are set up

    forget_secrets()
    yield
    forget_secrets()


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder of prepared models for the whole session, and for all workers of it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "popen" in base.name else base) / "model-cache"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _own_folders(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Prepare models once, in a place of the tests; programs that tests start use it, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_CACHE", str(cache))
        patch.setenv("ASSAY_WORKSPACE", str(tmp_path_factory.mktemp("workspace")))
        yield
