"""Which tests macOS and Windows can run: `make test-portable`, or `pytest -m portable`.

They need no POSIX facility: no locks of files, signals, links, permissions, pseudo-terminals, /proc
or processes of their own. This list is the only place that says so.
"""

from pathlib import Path

NAME = "portable"
ROOT = Path(__file__).parents[1]
TESTS, SOURCE = ROOT / "tests", ROOT / "src" / "assay"  # of the source, the examples in docstrings
INCLUDED = (
    *("columns", "contracts", "datasets", "metrics", "oracle", "rankings", "records"),
    *("statistics", "text", "verdicts", "catalogue.py", "errors.py"),
    *("test_catalogue.py", "test_errors.py", "test_portability.py"),
    *(f"workflows/test_{name}.py" for name in ("audit", "compare", "evaluate", "resolve")),
)
EXCLUDED = (
    "columns/files/test_atomic_write.py",  # links, permissions, /dev/full, pipes
    "datasets/families/test_git_history.py",  # permissions
    "datasets/formats/mutate.py",  # SIGALRM, resource
    "datasets/formats/test_mutated.py",
    "datasets/test_save.py",  # links
)
OTHERS = ("browser", "long", "server")  # markers; stored texts are left out, too: they name paths


def is_portable(path):
    """Tell whether a file of tests, or one below a folder of them, is in the list."""
    for home in (TESTS, SOURCE):
        if path.is_relative_to(home):
            names = [path, *path.parents]
            below = {one.relative_to(home).as_posix() for one in names if one.is_relative_to(home)}
            return not below.isdisjoint(INCLUDED) and below.isdisjoint(EXCLUDED)
    return False


def pytest_collection_modifyitems(items):
    """Mark them."""
    for item in items:
        other = "snapshot" in getattr(item, "fixturenames", ())
        other = other or any(map(item.get_closest_marker, OTHERS))
        if is_portable(Path(item.path)) and not other:
            item.add_marker(NAME)


def pytest_ignore_collect(collection_path, config):
    """Import no other test where only these are wanted: it may need modules that are missing."""
    if config.option.markexpr.strip() != NAME or collection_path.is_dir():
        return None
    return True if not is_portable(collection_path) else None
