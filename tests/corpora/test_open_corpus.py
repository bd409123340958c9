"""One function for all corpora: what each word, path and mapping opens, and what is refused."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpora.open_corpus import open_corpus
from assay.corpora.sources.inline import inline
from assay.errors import AssayError, InputError
from assay.records import Document

WHO = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]


@pytest.fixture
def place(tmp_path):
    for path in ("src/a.py", "src/b.md", "at@home/c.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("x")
    (tmp_path / "beir").mkdir()
    for path in ("beir/corpus.jsonl", "docs.jsonl"):
        (tmp_path / path).write_text('{"_id": "d", "text": "x"}\n')
    return tmp_path


@pytest.fixture
def repository(place):
    git = ["git", "-C", str(place), *WHO]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True)
    return place


def ids(where, **settings):
    return [document.id for document in open_corpus(where, **settings).documents()]


def test_paths(place):
    assert ids(place / "src") == ids(str(place / "src")) == ["a.py", "b.md"]
    assert ids(place / "src", include="*.py") == ["a.py"]
    assert ids(place / "beir") == ids(place / "docs.jsonl") == ["d"]
    assert open_corpus(place / "beir").name == "beir"


def test_mappings_as_they_stand_in_a_file(place):
    assert ids({"path": "src", "include": ["*.py"]}, relative_to=place) == ["a.py"]
    assert ids({"source": "folder", "path": "beir"}, relative_to=place) == ["corpus.jsonl"]
    assert ids({"source": "jsonl", "path": "beir"}, relative_to=place) == ["d"]
    assert ids({"folder": str(place / "src")}, exclude=["*.py"]) == ["b.md"]
    assert ids({"path": str(place / "src")}, relative_to="elsewhere") == ["a.py", "b.md"]
    assert ids({"source": "stdlib", "include": ["json/decoder.py"]}) == ["json/decoder.py"]
    assert ids("stdlib", include="json/decoder.py") == ["json/decoder.py"]


def test_revisions(repository):
    src = ["a.py", "b.md"]
    assert ids(f"git:{repository}/src@v1") == ids(f"git:{repository}/src") == src
    assert ids(f"git:{repository}/src@HEAD@{{0}}") == src
    assert ids(f"git:{repository}/at@home@v1") == ids(f"git:{repository}/at@home") == ["c.py"]
    assert ids({"git": "src", "revision": "v1"}, relative_to=repository) == src
    assert ids({"source": "git", "path": "src", "include": "*.md"}, relative_to=repository) == [
        "b.md"
    ]
    assert ids("git:src@v1", relative_to=repository) == src


def test_a_corpus_is_returned_as_it_is():
    corpus = inline([Document(id="a")])
    assert open_corpus(corpus) is corpus


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("sorc", "sorc"),
        ({"path": "src", "inclde": []}, '"inclde"'),
        ({"path": "docs.jsonl", "include": ["x"]}, '"include"'),
        ({"path": "src", 3: 4}, '"3"'),
        ({"source": "foldr", "path": "src"}, "foldr"),
        ({"source": 3, "path": "src"}, "3"),
        ({"source": "folder"}, "corpus"),
        ({"include": []}, "corpus"),
        ({}, "corpus"),
        ({"source": "stdlib", "path": "src"}, "stdlib"),
        ({"path": "src", "folder": "src"}, '"path" and "folder"'),
        ({"path": 3}, "path"),
        ({"source": "inline", "documents": ["x"]}, "documents"),
        ("git:src@nope", '"nope"'),
        ("git:elsewhere@v1", "elsewhere"),
        ("git:", "path"),
        ("text.txt", ".jsonl"),
        ("", "path"),
        (None, "path"),
        (3.5, "path"),
    ],
)
def test_what_is_refused(repository, where, said, snapshot):
    (repository / "text.txt").write_text("x")
    with pytest.raises(InputError) as raised:
        open_corpus(where, relative_to=repository)
    assert said in str(raised.value)
    assert raised.value.hint
    snapshot(raised.value)


def test_a_path_that_is_too_long(place):
    with pytest.raises(InputError, match="File name too long") as raised:
        open_corpus("x" * 5000, relative_to=place)
    assert raised.value.hint


def test_near_misses(place):
    with pytest.raises(InputError, match=r"hint: .*\bbeir\b"):
        open_corpus(place / "bier")
    with pytest.raises(InputError, match=r'hint: .*"include"'):
        open_corpus(place / "src", inclde=["x"])


def test_the_largest_file_has_two_names_and_one_meaning(place):
    (place / "src" / "c.md").write_text("x" * 50)
    assert ids({"path": str(place / "src"), "max_file_size": "20B"}) == ["a.py", "b.md"]
    assert ids({"path": str(place / "src"), "max_bytes": 20}) == ["a.py", "b.md"]
    with pytest.raises(InputError, match='"max_file_size" and "max_bytes"'):
        ids({"path": str(place / "src"), "max_bytes": 20, "max_file_size": "20B"})


def test_settings_of_a_corpus_that_is_open():
    with pytest.raises(InputError, match="already open"):
        open_corpus(inline([]), include=["x"])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
KEYS = st.sampled_from(["source", "path", "git", "revision", "include", "exclude", "folder"])
WORDS = st.sampled_from(["folder", "git", "jsonl", "stdlib", "inline", "src", ".", "*.py"])


@given(st.dictionaries(KEYS | st.text(), VALUES | WORDS) | VALUES)
def test_whatever_is_given_is_a_corpus_or_a_clear_error(where):
    try:
        found = open_corpus(where, relative_to=Path(__file__).parent)
    except AssayError as error:
        assert error.problem  # noqa: PT017 - either outcome is right
    else:
        assert found.name
