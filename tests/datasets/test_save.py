"""Where a dataset is written to: which format, and where its corpus is from there."""

import os
from pathlib import Path

import pytest

from assay.corpora.open_corpus import open_corpus
from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset, Document, Judgment, Query, Reference

QUERIES = (Query("q1", "where", (Judgment(Reference.named("a.md"), 1),)),)


def moved(corpus, tmp_path):
    """Return the corpus of a dataset that was read in one/ and is written in two/deep/."""
    (tmp_path / "two" / "deep").mkdir(parents=True, exist_ok=True)
    dataset = Dataset("d", QUERIES, corpus=corpus, home=str(tmp_path / "one"))
    path = tmp_path / "two" / "deep" / "d.json"
    assert save(dataset, path) == []
    return load(path).corpus


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"path": "src"}, {"path": "../../one/src"}),
        ({"path": "../src/"}, {"path": "../../src"}),
        ({"path": "."}, {"path": "../../one"}),
        ({"source": "jsonl", "path": "c.jsonl"}, {"source": "jsonl", "path": "../../one/c.jsonl"}),
        ({"jsonl": "c.jsonl"}, {"jsonl": "../../one/c.jsonl"}),
        ({"folder": "src", "include": ["a"]}, {"folder": "../../one/src", "include": ["a"]}),
        ({"git": "../repo", "revision": "x"}, {"git": "../../repo", "revision": "x"}),
        (
            {"source": "git", "repository": "../repo"},
            {"source": "git", "repository": "../../repo"},
        ),
        ({"path": "git:../repo@HEAD"}, {"path": "git:../../repo@HEAD"}),
        ({"path": "git:../repo"}, {"path": "git:../../repo"}),
        ({"path": "git:.@origin/main"}, {"path": "git:../../one@origin/main"}),
        ({"path": "git:x/@scope@HEAD"}, {"path": "git:../../one/x/@scope@HEAD"}),
        ({"source": "folder", "path": "stdlib"}, {"source": "folder", "path": "../../one/stdlib"}),
        ({"path": "../two/deep/stdlib"}, {"path": "./stdlib"}),
        ({"path": "../two/deep/git:x"}, {"path": "./git:x"}),
    ],
)
def test_a_relative_path_stays_right(before, after, tmp_path):
    assert moved(before, tmp_path) == after


@pytest.mark.parametrize(
    "corpus",
    [
        {"path": "stdlib"},
        {"source": "stdlib"},
        {"path": "/abs/src"},
        {"path": "~/src"},
        {"path": "git:~/repo@HEAD"},
        {"path": "git:/abs/repo@HEAD"},
        {"path": 3},
        {"source": ["git"], "place": "x"},
        {"path": ""},
        {"note": "somewhere"},
    ],
)
def test_what_is_no_relative_path_stays_as_it_is(corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert moved(corpus, tmp_path) == corpus


def test_the_standard_library_opens_from_anywhere(tmp_path):
    corpus = moved({"path": "stdlib"}, tmp_path)
    assert open_corpus(corpus, relative_to=tmp_path).name


def test_a_corpus_on_another_drive_gets_its_whole_path(tmp_path, monkeypatch):
    def refuse(*_):
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    monkeypatch.setattr(os.path, "relpath", refuse)
    whole = (Path(os.path.realpath(tmp_path)) / "one" / "src").as_posix()
    assert moved({"path": "src"}, tmp_path) == {"path": whole}


def test_a_folder_behind_a_link_is_left_by_the_folder_that_is_meant(tmp_path):
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "away")
    dataset = Dataset("d", QUERIES, corpus={"path": "src"}, home=str(tmp_path))
    save(dataset, tmp_path / "link" / "d.json")
    assert load(tmp_path / "link" / "d.json").corpus == {"path": "../../src"}


@pytest.mark.parametrize(
    ("name", "options"), [("d.xyz", {}), ("d", {"format": "nothing"}), ("d", {"format": "ir_data"})]
)
def test_what_cannot_be_written_is_not_offered(name, options, tmp_path):
    with pytest.raises(InputError) as caught:
        save(Dataset("d", QUERIES), tmp_path / name, **options)
    assert "ir_datasets" not in caught.value.hint
    if options.get("format") != "ir_data":
        assert "beir, consciousdb, csv" in caught.value.hint


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))


@pytest.fixture
def stale(tmp_path):
    """A BEIR folder with all its parts, and a file of the user's."""
    folder = tmp_path / "beir"
    save(Dataset("old", QUERIES, documents=(Document("a.md", "old"),)), folder, format="beir")
    for name in ("qrels/dev.tsv", "qrels.tsv", "queries.jsonl.gz", "README.md", "qrels/mine.tsv"):
        (folder / name).write_text("old")
    return folder


def test_writing_over_a_folder_leaves_nothing_of_the_earlier_dataset(stale):
    save(Dataset("new", QUERIES), stale, format="beir")
    mine = ["README.md", "qrels/mine.tsv"]
    assert names(stale) == sorted([*mine, "meta.json", "qrels/test.tsv", "queries.jsonl"])
    read = load(stale)
    assert (read.name, read.corpus, read.notes) == ("new", {}, ())


def test_a_folder_written_over_itself_keeps_its_corpus_and_its_splits(stale):
    before = names(stale)
    save(load(stale), stale, format="beir")
    assert names(stale) == before
    assert load(stale).corpus == {"source": "jsonl", "path": "corpus.jsonl"}


@pytest.mark.parametrize("place", ["beir/corpus.jsonl", "beir"])
def test_the_corpus_that_a_dataset_points_at_is_never_removed(stale, place):
    dataset = Dataset("new", QUERIES, corpus={"path": place}, home=str(stale.parent))
    save(dataset, stale, format="beir")
    assert (stale / "corpus.jsonl").is_file()
    assert not (stale / "qrels" / "dev.tsv").exists()


@pytest.mark.parametrize("format_", ["consciousdb", "trec"])
def test_a_folder_of_another_format_is_left_alone(stale, format_, snapshot):
    before = names(stale)
    with pytest.raises(InputError) as caught:
        save(Dataset("new", QUERIES), stale, format=format_)
    snapshot(caught.value)
    assert names(stale) == before


@pytest.mark.parametrize("format_", ["consciousdb", "trec", "beir"])
def test_each_folder_can_be_written_over_its_own(format_, tmp_path):
    documents = (Document("a.md", "old"),)
    save(Dataset("old", QUERIES, documents=documents), tmp_path / "d", format=format_)
    save(Dataset("new", QUERIES), tmp_path / "d", format=format_)
    read = load(tmp_path / "d")
    assert (read.name, read.corpus) == ("new", {})


def test_topics_of_other_names_are_not_mixed_with_ours(tmp_path):
    (tmp_path / "topics.101-150.txt").write_text("<top>")
    with pytest.raises(InputError, match=r": topics\.101-150\.txt"):
        save(Dataset("new", QUERIES), tmp_path, format="trec")


def one_query(text="how?"):
    judgments = (Judgment(Reference(path="a.md"), 1),)
    return Dataset("d", (Query("q", text, judgments=judgments),), scale=1)


@pytest.mark.parametrize(("ending", "mark"), [("csv", '","'), ("tsv", '"\t"')])
def test_a_table_is_separated_as_its_ending_says(ending, mark, tmp_path):
    place = tmp_path / f"d.{ending}"
    save(one_query(), place)
    assert mark in place.read_text()
    assert load(place).queries == one_query().queries


def test_what_a_format_refuses_is_said_of_the_file_that_was_asked_for(tmp_path):
    with pytest.raises(InputError, match="has a cell") as caught:
        save(one_query("long " * 30_000), tmp_path / "d.csv")
    assert caught.value.where == str(tmp_path / "d.csv")
    assert not list(tmp_path.iterdir())
