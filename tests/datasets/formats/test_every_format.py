"""What every dataset format promises; a new one is covered as soon as its file is saved."""

import importlib
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests.datasets.strategies import IDS, datasets

from assay import catalogue
from assay.corpora.open_corpus import open_corpus
from assay.datasets import formats
from assay.datasets._conversion_losses import losses
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.load import load, recognise
from assay.datasets.place import Place
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import KEYS, Dataset, Document, Judgment, Query, Rationale, Reference

NAMES = catalogue.files(formats)
WRITTEN = [name for name in NAMES if catalogue.find(formats, name).writes]
every_format = pytest.mark.parametrize("name", NAMES)
every_written = pytest.mark.parametrize("name", WRITTEN)
widely = settings(max_examples=25, suppress_health_check=list(HealthCheck))

WHOLE = Dataset(
    name="whole",
    queries=(
        Query(
            "q1",
            "where are\nretries ünder 100 %?",
            (
                Judgment(Reference.named("setup.md"), 3, "either", Rationale("says so", (3, 9))),
                Judgment(
                    Reference(path="src/a.py", symbol="retry", match="substring"), 2, "either"
                ),
                Judgment(Reference(document_id="d7", uri="file:///d7"), 0),
                Judgment(Reference(content_hash="a" * 64), 1),
                Judgment(Reference(symbol="Session.get"), 1),
                Judgment(Reference(file_name="b.py"), -1),
            ),
            "concept",
            "hard",
            "requests",
            {"note": "ask again", "seen": [1, 2.5, None, {"deep": True}]},
            weight=12.5,
        ),
        Query("2", "", (), extra={"desc": "what is wanted"}),
    ),
    description="All that a dataset can say",
    scale=4,
    documents=(Document("d7", "text", "title", path="d7.md", language="markdown"),),
    metadata={"licence": "CC0"},
)


def member(name):
    return catalogue.find(formats, name)


def written(name, dataset, folder):
    """Reduce and write a dataset; return what was written and where."""
    one = member(name)
    reduced = one.reduce(dataset)
    path = Path(folder) / f"file{one.suffixes[0] if one.suffixes else ''}"
    one.write(reduced, path)
    return reduced, path


def beside(reduced):
    """Return the dataset as it is read where documents at hand became a corpus beside it."""
    corpus = {"source": "jsonl", "path": "corpus.jsonl"}
    return replace(reduced, documents=(), corpus=corpus) if reduced.documents else reduced


def same(read, reduced, name):
    expected = reduced if member(name).suffixes else beside(reduced)
    assert replace(read, name="") == replace(expected, name="")


def placed(dataset):
    """Return the dataset with the place of its corpus spelled out."""
    if "path" not in dataset.corpus:
        return dataset
    path = (Path(dataset.home) / dataset.corpus["path"]).resolve()
    return replace(dataset, corpus={**dataset.corpus, "path": str(path)})


def judged(dataset, name):
    """Tell whether a format has anything to write of a dataset."""
    return bool(member(name).reduce(dataset).queries)


@every_format
def test_one_file_one_name(name):
    module = importlib.import_module(f"{formats.__name__}.{name}")
    assert module.__all__ == [name]
    assert module.__doc__
    assert isinstance(member(name), DatasetFormat)
    assert 0 < len(member(name).summary) < 80


def test_ranks_are_all_different():
    """Else two formats could claim one file, and the catalogue's order would decide."""
    ranks = [member(name).rank for name in NAMES]
    assert len(set(ranks)) == len(ranks)


def test_endings_pick_the_simplest_format(tmp_path):
    for ending, name in {
        "json": "assay_json",
        "jsonl": "jsonl_pairs",
        "yaml": "akashic_yaml",
        "yml": "akashic_yaml",
        "csv": "csv",
        "tsv": "csv",
        "quepid.csv": "quepid_csv",
        "exocortex.json": "exocortex",
        "repoeval.jsonl": "repoeval",
        "sia_code.jsonl": "sia_code",
    }.items():
        save(WHOLE, tmp_path / f"x.{ending}")
        with Place(tmp_path / f"x.{ending}") as place:
            assert recognise(place) == name


@every_written
def test_what_is_written_is_read(name, tmp_path):
    reduced, path = written(name, WHOLE, tmp_path)
    same(load(path), reduced, name)
    same(load(path, format=name), reduced, name)


@every_written
@widely
@given(dataset=datasets(ids=IDS))
def test_what_is_written_is_read_whatever_it_is_and_can_be_written_again(name, dataset):
    with tempfile.TemporaryDirectory() as folder:
        if not judged(dataset, name):
            return
        reduced, path = written(name, dataset, folder)
        with Place(path) as place:
            assert recognise(place) == name
        read = load(path)
        same(read, reduced, name)
        if reduced.documents and not member(name).suffixes:
            found = tuple(open_corpus(read.corpus, relative_to=read.home).documents())
            fields = ("id", "text", "title", "uri", "path")
            for one, other in zip(found, reduced.documents, strict=True):
                assert [getattr(one, key) for key in fields] == [
                    getattr(other, key) for key in fields
                ]
        again = Path(folder) / f"again{path.name.removeprefix('file')}"
        assert save(read, again, format=name) == []
        assert replace(placed(load(again)), name=read.name) == placed(read)


@every_written
@widely
@given(dataset=datasets(least=0))
def test_ids_of_any_kind_are_read_back_or_refused(name, dataset):
    with tempfile.TemporaryDirectory() as folder:
        try:
            reduced, path = written(name, dataset, folder)
        except InputError as error:
            assert error.hint  # noqa: PT017
            return
        same(load(path), reduced, name)


FIELDS = {
    "grade": lambda one: one.grade,
    "group": lambda one: one.group,
    "reason": lambda one: of_because(one, "reason", "lines"),
    "provenance": lambda one: of_because(one, "judge", "when", "report", "seen"),
    "symbol": lambda one: one.reference.symbol,
    "match mode": lambda one: one.reference.match,
    "reference key": lambda one: [getattr(one.reference, key) for key in KEYS],
}


def of_because(judgment, *fields):
    said = [getattr(judgment.because, field, None) or None for field in fields]
    return said if any(said) else None


def names_of(judgment):
    keys = (*KEYS, "symbol")
    return {name for key in keys if (name := getattr(judgment.reference, key))}


def surely_same(before, after):
    """Yield the judgments that can be nobody else's: their names are in no other of their query."""
    left = {query.key: query.judgments for query in after.queries}
    for query in before.queries:
        for old in query.judgments:
            alike = [one for one in query.judgments if names_of(one) & names_of(old)]
            found = [one for one in left.get(query.key, ()) if names_of(one) & names_of(old)]
            if len(alike) == len(found) == 1:
                yield old, found[0]


@every_written
@widely
@given(dataset=datasets(least=0))
def test_all_that_is_lost_is_told_and_it_is_lost_once(name, dataset):
    reduced = member(name).reduce(dataset)
    told = losses(dataset, reduced)
    assert member(name).reduce(reduced) == reduced
    assert losses(reduced, reduced) == []
    assert bool(told) == (reduced != dataset), told
    for old, new in surely_same(dataset, reduced):
        for noun, of in FIELDS.items():
            if of(old) and of(old) != of(new):
                assert any(text.startswith(f"the {noun} of ") for text in told), (noun, told)
    counts = [sum(len(query.judgments) for query in one.queries) for one in (dataset, reduced)]
    gone = counts[0] - counts[1]
    said = f"{gone} judgments are lost" if gone > 1 else "1 judgment is lost"
    assert [text for text in told if "judgment" in text[:20] and "lost" in text] == (
        [said] * bool(gone)
    )


@every_written
def test_a_dataset_without_queries_is_kept_or_refused(name, tmp_path):
    empty = Dataset("empty", ())
    try:
        reduced, path = written(name, empty, tmp_path)
    except InputError as error:
        assert "no query" in str(error)  # noqa: PT017
    else:
        same(load(path), reduced, name)


@every_written
def test_compressed_or_not(name, tmp_path):
    import gzip

    reduced, path = written(name, WHOLE, tmp_path)
    if path.is_file():
        packed = path.with_name(path.name + ".gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        same(load(packed), reduced, name)


@every_written
def test_a_byte_order_mark_and_line_ends_of_windows_are_no_content(name, tmp_path):
    plain = replace(WHOLE, queries=(replace(WHOLE.queries[0], text="retries"),))
    reduced, path = written(name, plain, tmp_path)
    for file in [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]:
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    same(load(path), reduced, name)


@every_format
@pytest.mark.parametrize(
    "content", [b"", b" \n", b"\x00\x01\x02", b"\xff\xfe", b"a,b\n", b"[" * 500]
)
def test_rubbish_is_refused_with_a_hint(name, content, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match="hint: "):
        load(path, format=name)
    with pytest.raises(InputError, match="hint: "):
        load(tmp_path / "nothing", format=name)


@every_format
def test_an_empty_folder_is_refused(name, tmp_path):
    with pytest.raises(InputError, match="hint: "):
        load(tmp_path, format=name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("own.json", '{"queries": [{"query_key": "a", "query_text": "b", "repo": "click"}]}'),
        ("log.jsonl", '{"query": "what is b", "repo": "click"}\n{"query": "c", "repo": "click"}\n'),
        ("q.csv", "query,file,repo\nwhat is b,b.md,click\n"),
        ("q.json", '[{"question": "what is b", "file": "b.md", "repo": "click"}]'),
        ("q.yaml", "- {query: b, repo: click, expected_files: [b.md]}\n"),
    ],
)
def test_a_repository_is_the_collection(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    again = tmp_path / "again.json"
    save(read := load(tmp_path / name), again)
    assert {query.collection for query in read.queries} == {"click"}
    assert {query.collection for query in load(again).queries} == {"click"}
