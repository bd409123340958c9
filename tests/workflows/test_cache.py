"""The cache as Python functions, over a workspace that a real search filled."""

import pytest

from assay.errors import InputError
from assay.workflows.cache import cache, clear_cache, prune_cache
from assay.workflows.search import search
from assay.workspace import prune


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setattr(prune, "sweep_scratch", lambda: 0)
    folder = tmp_path / "docs"
    folder.mkdir()
    for at in range(5):
        (folder / f"{at}.md").write_text(f"# Part {at}\n\nwords about part {at}\n")
    return folder


def counts(place):
    return {part.name: part.count for part in cache(workspace=place).parts}


def test_an_index_that_was_cleared_is_built_again(project, tmp_path):
    place = tmp_path / "workspace"
    asked = {"name": "a", "search": "lexical"}
    first = search(project, "part 3", configuration=asked, workspace=place)
    assert counts(place)["indexes"] == 1
    (done,) = clear_cache(["indexes"], workspace=place)
    assert (done.removed, counts(place)["indexes"]) == (1, 0)
    again = search(project, "part 3", configuration=asked, workspace=place)
    assert [hit.document for hit in again.hits] == [hit.document for hit in first.hits]


def test_a_limit_is_bytes_or_a_text(tmp_path):
    assert prune_cache(limit=10, workspace=tmp_path / "w").limit == 10
    assert prune_cache(limit="2kB", workspace=tmp_path / "w").limit == 2000
    with pytest.raises(InputError, match="-1"):
        prune_cache(limit=-1, workspace=tmp_path / "w")


def test_a_kind_that_is_none(tmp_path):
    with pytest.raises(InputError, match='"models"') as caught:
        clear_cache(["tapes", "models"], workspace=tmp_path / "w")
    assert "tapes, builds" in caught.value.hint
