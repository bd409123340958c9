"""What is called a copy, and is one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.starter.copies import find_copies


@pytest.mark.parametrize(
    "copy",
    [
        *("pages.bak", "pages_backup", "backup", "backups", "pages copy", "pages copy 2", "Copy"),
        *(
            "pages-old",
            "pages~",
            "copy of pages",
            "backup-2024-01-31",
            "pages.orig",
            "pages (copy)",
        ),
    ],
)
def test_a_folder_that_holds_the_same_files(copy):
    assert find_copies(["pages/a.md", f"{copy}/a.md", f"{copy}/b.md"], pages=[]) == [copy]
    deeper = ["docs/pages/a.md", f"docs/{copy}/pages/a.md"]
    assert find_copies(deeper, pages=[]) == [f"docs/{copy}"]


@pytest.mark.parametrize("name", ["backup", "copy", "old"])
def test_a_folder_that_is_only_called_so(name):
    assert find_copies(["src/main.py", f"{name}/engine.py", f"{name}/disk.py"], pages=[]) == []
    assert find_copies([f"{name}/a.md"], pages=[f"{name}/a.md"]) == []


@pytest.mark.parametrize("name", ["pages", "copyright", "gold", "bakery", "older", "v1.2"])
def test_a_folder_that_is_not_called_so(name):
    assert find_copies(["a/x.md", f"{name}/x.md"], pages=[]) == []


def test_pages_beside_their_original():
    paths = ["a.md", "a copy.md", "a.bak.md", "copy of a.md", "b_old.md", "copy.md", "c (1).md"]
    assert find_copies(paths, pages=paths) == ["a copy.md", "a.bak.md", "copy of a.md"]
    assert find_copies(paths, pages=[]) == []  # programs may well be called so


def test_a_page_whose_name_is_hardly_more_than_a_mark():
    paths = [".~", "a/.~", "..~", "~", "a.md"]
    assert find_copies(paths, pages=paths) == []


@given(st.lists(st.text("ab/.~ copyld", min_size=1), max_size=8))
def test_something_is_always_left(paths):
    copies = find_copies(paths, pages=paths)
    left = [p for p in paths if not any(p == c or p.startswith(f"{c}/") for c in copies)]
    assert bool(left) == bool(paths)
