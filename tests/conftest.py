"""What all tests share: the profiles of hypothesis, a time-out, and a user without rights."""

import os
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = [
    "tests.benchmarks.stand_in",
    "tests.portable",
    "tests.postgres",
    "tests.snapshots",
]

LONG_TIMEOUT_S = 1_800  # of tests marked long; pyproject.toml has that of all others

# Machines are shared and imports are lazy, so no test may fail because it is slow. `make test`
# draws the same examples each time, so few are enough; `make test-long` draws new ones
# (--hypothesis-profile=random) and prints the seed that draws them again.
slow_is_fine = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
steady = {"derandomize": True, "database": None, "max_examples": 50}
settings.register_profile("steady", **steady, **slow_is_fine)
settings.register_profile("random", derandomize=False, print_blob=True, **slow_is_fine)
settings.load_profile("steady")


def pytest_collection_modifyitems(items):
    """Give tests marked long more time."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_TIMEOUT_S))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """With ASSAY_NO_SKIP, let a test fail that would be skipped: what it needs must be there."""
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("ASSAY_NO_SKIP") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"skipped: {report.longrepr}"


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    """With ASSAY_NO_SKIP, no file with tests of the service may be left out as a whole."""
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("ASSAY_NO_SKIP") and report.skipped and "tests/server" in collector.nodeid:
        report.outcome, report.longrepr = "failed", f"skipped: {report.longrepr}"


@pytest.fixture(scope="session", autouse=True)
def _models_are_read_once():
    """Share between tests what is read of a model's files, which is never changed.

    Else a session would read the same tokenizer and the same weights many hundred times.
    """
    import tokenizers

    from assay.models.inference._runtime import runtime

    opened = runtime().InferenceSession
    kept = {}

    def session(source, options, providers):
        if not isinstance(source, bytes):
            return opened(source, options, providers=providers)
        if source not in kept:
            kept[source] = opened(source, options, providers=providers)
        return kept[source]

    real = tokenizers.Tokenizer
    ways = {name: getattr(real, name) for name in dir(real) if name.startswith("from_")}
    ways["from_buffer"] = lru_cache(maxsize=8)(real.from_buffer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizers, "Tokenizer", SimpleNamespace(**ways))
        patch.setattr(runtime(), "InferenceSession", session)
        yield


@pytest.fixture
def no_clusters(monkeypatch):
    """Do not look for clusters of queries, which takes half of a small run's time."""
    where = "assay.benchmarks.queries.query_facts.cluster_queries"
    monkeypatch.setattr(where, lambda *_, **__: {})


THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@pytest.fixture(autouse=True)
def _threads():
    """Undo what commands that run in this process say about threads.

    Stage outputs are named by it: a process that is started later would give them other names.
    """
    before = {name: os.environ.get(name) for name in THREADS}
    yield
    if {name: os.environ.get(name) for name in THREADS} == before:
        return
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    if (named := sys.modules.get("assay.searches.environment")) is not None:
        named.code.cache_clear()


@pytest.fixture
def nobody(monkeypatch):
    """Act as a user without rights: the superuser may read and write anywhere.

    That user has a folder for temporary files, also where TMPDIR is the superuser's alone.
    """

    @contextmanager
    def acting():
        root = os.geteuid() == 0
        if not root:
            yield
            return
        with tempfile.TemporaryDirectory() as folder, monkeypatch.context() as patched:
            Path(folder).chmod(0o1777)
            patched.setattr(tempfile, "tempdir", folder)
            os.seteuid(65534)
            try:
                yield
            finally:
                os.seteuid(0)

    return acting


@dataclass(frozen=True)
class Kills:
    """How often a test kills a process: 8 times in CI, 50 times with `make test-kill`."""

    number: int

    @property
    def are_many(self):
        """Whether enough are made to ask that some of them hit each phase of the work."""
        return self.number >= 50

    def log(self, line):
        """Keep a line on what became of them."""
        if path := os.environ.get("ASSAY_KILLS_LOG"):
            with Path(path).open("a") as file:
                file.write(f"{line}\n")


@pytest.fixture(scope="session")
def kills():
    return Kills(int(os.environ.get("ASSAY_KILLS", "8")))


@pytest.fixture
def without_converters(monkeypatch):
    """Let nothing convert PDF and other files, as where the extra documents is not installed."""
    from assay.corpora.sources import _read_document
    from assay.records import skipped_files

    monkeypatch.setattr(_read_document, "converter_of", lambda _path: None)
    monkeypatch.setattr(skipped_files, "missing_extras", lambda *names: [*names])
