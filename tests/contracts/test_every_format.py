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
    **{(room, "tsv"): lambda rows: separated(rows, "\t") for room in (formats, judgments)},
    **{(room, "csv"): lambda rows: separated(rows, ",") for room in (formats, judgments)},
    **{(room, "json_map"): as_json for room in (formats, judgments)},
    **{(room, "parquet"): as_parquet for room in (formats, judgments)},
}
READERS = {formats: load, judgments: load_judgments}
MEMBERS = [(room, name) for room in READERS for name in catalogue.files(room)]
every_format = pytest.mark.parametrize(
    ("room", "name"), MEMBERS, ids=[f"{room.__name__}.{name}" for room, name in MEMBERS]
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"  # without an extension: formats are told by content


def written(path, room, name, rows):
    path.write_bytes(WRITERS[room, name](rows))
    return path


@every_format
def test_one_file_one_name(room, name):
    module = importlib.import_module(f"{room.__name__}.{name}")
    assert module.__all__ == [name]
    assert module.__doc__
    member = catalogue.find(room, name)
    assert isinstance(member, Format)
    assert member is getattr(module, name)
    assert 0 < len(member.summary) < 80
    assert "\n" not in member.summary


@every_format
def test_its_own_sample_is_recognised(room, name, path):
    with Source(written(path, room, name, ROWS)) as source:
        assert recognise(room, source.head()) == name


@every_format
def test_it_reads_what_the_mapping_form_reads(room, name, path):
    table = {}
    for query, document, value in ROWS:
        table.setdefault(query, {})[document] = value
    expected, read = READERS[room](table), READERS[room](written(path, room, name, ROWS))
    assert read.queries == expected.queries == ("q2", "q1")
    for column in ("offsets", "documents", "scores" if room is formats else "grades"):
        assert getattr(read, column).tolist() == getattr(expected, column).tolist()
        assert getattr(read, column).dtype == getattr(expected, column).dtype
    assert READERS[room](path, format=name).queries == read.queries


@every_format
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_it_refuses_what_is_not_finite(room, name, path, value):
    rows = [(query, document, float(number)) for query, document, number in ROWS]
    rows[3] = ("q1", "c", value)
    word = "score" if room is formats else "grade"
    said = (
        rf"file.*: ({word} .*(finite|whole number in range)|.* is no number of JSON)(.|\n)*hint: "
    )
    with pytest.raises(InputError, match=said):
        READERS[room](written(path, room, name, rows))


@every_format
def test_it_refuses_a_document_twice(room, name, path):
    with pytest.raises(InputError, match=r"file.*: .*(twice|has grade 3)(.|\n)*hint: "):
        READERS[room](written(path, room, name, [*ROWS, ("q2", "a", 2)]))


@every_format
def test_it_refuses_another_format_by_name(room, name, path):
    """A file that is forced into the wrong format is refused, never misread."""
    for other in catalogue.files(room):
        if other != name:
            with pytest.raises(InputError, match="hint: "):
                READERS[room](written(path, room, other, ROWS), format=name)


@every_format
def test_compressed_or_not(room, name, path):
    import gzip

    plain = READERS[room](written(path, room, name, ROWS))
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert READERS[room](path).documents.tolist() == plain.documents.tolist()


def test_ranks_are_all_different():
    """Else two formats could claim one file, and the catalogue's order would decide."""
    for room in READERS:
        ranks = [catalogue.find(room, name).rank for name in catalogue.files(room)]
        assert len(set(ranks)) == len(ranks)
