"""What every file format promises; a new one needs only a line in WRITERS."""

import csv as csv_module
import importlib
import io
import json
import math

import polars as pl
import pytest

from assay import catalogue
from assay.columns import Format, Source, recognise
from assay.datasets import judgments
from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError
from assay.rankings import formats
from assay.rankings.load import load

ROWS = [("q2", "b", 1), ("q2", "a", 3), ("q1", "é", 2), ("q1", "c", 0), ("q2", "d", -1)]


def separated(rows, separator):
    text = io.StringIO()
    writer = csv_module.writer(text, delimiter=separator)
    writer.writerows([("query-id", "corpus-id", "score"), *rows])
    return text.getvalue().encode()


def as_json(rows):
    groups = {}
    for query, document, value in rows:
        groups.setdefault(query, []).append(f"{json.dumps(document)}: {json.dumps(value)}")
    body = ", ".join(f"{json.dumps(query)}: {{{', '.join(row)}}}" for query, row in groups.items())
    return f"{{{body}}}".encode()


def as_parquet(rows):
    buffer = io.BytesIO()
    pl.DataFrame(rows, schema=["query", "document", "score"], orient="row").write_parquet(buffer)
    return buffer.getvalue()


def lines(rows, form):
    return "".join(form.format(*row) for row in rows).encode()


WRITERS = {
    (formats, "trec"): lambda rows: lines(rows, "{} Q0 {} 1 {} tag\n"),
    (judgments, "trec"): lambda rows: lines(rows, "{} 0 {} {}\n"),
    **{(package, "tsv"): lambda rows: separated(rows, "\t") for package in (formats, judgments)},
    **{(package, "csv"): lambda rows: separated(rows, ",") for package in (formats, judgments)},
    **{(package, "json_map"): as_json for package in (formats, judgments)},
    **{(package, "parquet"): as_parquet for package in (formats, judgments)},
}
READERS = {formats: load, judgments: load_judgments}
MEMBERS = [(package, name) for package in READERS for name in catalogue.files(package)]
every_format = pytest.mark.parametrize(
    ("package", "name"), MEMBERS, ids=[f"{package.__name__}.{name}" for package, name in MEMBERS]
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"  # without an extension: formats are told by content


def written(path, package, name, rows):
    path.write_bytes(WRITERS[package, name](rows))
    return path


@every_format
def test_one_file_one_name(package, name):
    module = importlib.import_module(f"{package.__name__}.{name}")
    assert module.__all__ == [name]
    assert module.__doc__
    member = catalogue.find(package, name)
    assert isinstance(member, Format)
    assert member is getattr(module, name)
    assert 0 < len(member.summary) < 80
    assert "\n" not in member.summary


@every_format
def test_its_own_sample_is_recognised(package, name, path):
    with Source(written(path, package, name, ROWS)) as source:
        assert recognise(package, source.head()) == name


@every_format
def test_it_reads_what_the_mapping_form_reads(package, name, path):
    table = {}
    for query, document, value in ROWS:
        table.setdefault(query, {})[document] = value
    expected, read = READERS[package](table), READERS[package](written(path, package, name, ROWS))
    assert read.queries == expected.queries == ("q2", "q1")
    for column in ("offsets", "documents", "scores" if package is formats else "grades"):
        assert getattr(read, column).tolist() == getattr(expected, column).tolist()
        assert getattr(read, column).dtype == getattr(expected, column).dtype
    assert READERS[package](path, format=name).queries == read.queries


@every_format
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_it_refuses_what_is_not_finite(package, name, path, value):
    rows = [(query, document, float(number)) for query, document, number in ROWS]
    rows[3] = ("q1", "c", value)
    word = "score" if package is formats else "grade"
    said = rf"file.*: (({word} |invalid grade).*|.* is not a valid JSON number)(.|\n)*hint: "
    with pytest.raises(InputError, match=said):
        READERS[package](written(path, package, name, rows))


@every_format
def test_it_refuses_a_document_twice(package, name, path):
    with pytest.raises(InputError, match=r"file.*: .*(duplicate|conflicting)(.|\n)*hint: "):
        READERS[package](written(path, package, name, [*ROWS, ("q2", "a", 2)]))


@every_format
def test_it_refuses_another_format_by_name(package, name, path):
    """A file that is forced into the wrong format is refused, never misread."""
    for other in catalogue.files(package):
        if other != name:
            with pytest.raises(InputError, match="hint: "):
                READERS[package](written(path, package, other, ROWS), format=name)


@every_format
def test_compressed_or_not(package, name, path):
    import gzip

    plain = READERS[package](written(path, package, name, ROWS))
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert READERS[package](path).documents.tolist() == plain.documents.tolist()


def test_ranks_are_all_different():
    """Else two formats could claim one file, and the catalogue's order would decide."""
    for package in READERS:
        ranks = [catalogue.find(package, name).rank for name in catalogue.files(package)]
        assert len(set(ranks)) == len(ranks)
