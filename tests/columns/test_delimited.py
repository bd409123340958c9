import gzip
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assay.columns import Source
from assay.columns.blocks import block
from assay.columns.blocks import fields as fields_module
from assay.columns.delimited import delimited
from assay.columns.files import source
from assay.errors import InputError
from assay.records import decode

RUN = ("query", "Q0", "document", "rank", "score", "tag")
WANTED = (0, 2, 4)
SIZES = [1, 2, 3, 5, 8, 13, 31, 64, 1 << 16]

letters = st.characters(min_codepoint=33, exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"])
ids = st.one_of(
    st.sampled_from(["a", "b", "q1", "q2", "doc-1", "doc-12"]),
    st.text(letters, min_size=1, max_size=12),
    st.integers(1, 300).map("x".__mul__),
).filter(lambda text: not text.startswith("#"))
scores = st.one_of(st.integers(-5, 5).map(str), st.floats(-9, 9).map(repr), st.just("0.250000"))
blanks = st.text(" \t", min_size=1, max_size=3)
edges = st.text(" \t", max_size=2)
line_ends = st.sampled_from(["\n", "\n", "\r\n"])


@st.composite
def run_lines(draw):
    """One line of a run, in one of the many ways that people write them."""
    kind = draw(st.sampled_from(["plain", "plain", "plain", "loose", "extra", "blank", "comment"]))
    if kind == "blank":
        return draw(edges)
    if kind == "comment":
        return draw(edges) + draw(st.sampled_from(["# ", "#", "#q Q0 d 1 1 "])) + draw(ids)
    row = [draw(ids), "Q0", draw(ids), "1", draw(scores), "tag"]
    if kind == "plain":
        return " ".join(row)
    if kind == "extra":
        row += ["more"] * draw(st.integers(1, 3))
    text = draw(edges)
    for field in row:
        text += field + draw(blanks)
    return text.rstrip() + draw(edges)


@st.composite
def files(draw):
    pairs = draw(st.lists(st.tuples(run_lines(), line_ends), min_size=1, max_size=12))
    text = "".join(line + end for line, end in pairs)
    return (text if draw(st.booleans()) else text.rstrip("\r\n")).encode()


def naive(data):
    """Read the rows one by one with split, then group them by query."""
    groups, extra, comments = {}, 0, 0
    for number, line in enumerate(data.decode().split("\n"), start=1):
        row = line.strip("\r").replace("\t", " ").split(" ")
        row = [field for field in row if field]
        if not row or row[0].startswith("#"):
            comments += bool(row)
            continue
        extra += len(row) > len(RUN)
        query, document, value = (row[at] for at in WANTED)
        groups.setdefault(query, []).append((document, float(value), number))
    return groups, extra, comments


def same(triples, expected, name):
    groups, extra, comments = expected
    rows = [row for group in groups.values() for row in group]
    assert triples.queries == tuple(groups)
    assert np.diff(triples.offsets).tolist() == [len(group) for group in groups.values()]
    assert decode(triples.documents) == [row[0] for row in rows]
    assert triples.values.tolist() == [row[1] for row in rows]
    lines = [triples.place(at) for at in range(len(rows))]
    assert lines == [f"{name}, line {row[2]}" for row in rows]
    counts = [str(n) for n in (extra, comments) if n]
    assert all(n in note for n, note in zip(counts, triples.notes, strict=True))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("delimited") / "run.txt"


def read(path, data, size=None, **options):
    """Read bytes in blocks of a size; the first piece, by which formats are told, is as short."""
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        if size:
            patch.setattr(block, "SIZE", size)
            patch.setattr(source, "HEAD", size)
        with Source(path) as opened:
            return delimited(opened, RUN, WANTED, **options)


@given(files().filter(bytes.strip))
@example(b"q Q0 d 1 2 t")
@example(b"q Q0 d 1 2 t\r\n\r\nq Q0 e 2 1 t\r\n")
@example(b"q Q0 d 1 1 t\np Q0 d 1 1 t\nq Q0 e 2 0 t\n#\np Q0 e 2 0 t\n")
@example(b"#q Q0 d 1 1 t\nq Q0 e 1 1 t\n")
@example(b"q Q0 e 1 1 t\n#q Q0 d 1 1 t\n")
@example(b"q\tQ0 d\t1 1 t\nq Q0\te 1 1 t\n")
@example(b"q Q0 d 1 1 t more\nq Q0 e 1 1 t mo\nr Q0 e 1 1 t\n")
@example(b"q Q0 d 1 1 t\nq Q0 e 1 1 t\n#\n")
@example(b"q Q0 d 1 1 t\n\nq Q0 e 1 1\tt\n")
@example(b" q Q0 d 1 1\np Q0 e 1 1 t\n".replace(b"1\n", b"1 t\n"))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_reads_what_a_naive_reader_reads(path, data):
    same(read(path, data), naive(data), path)


@given(files().filter(bytes.strip), st.integers(1, 64))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_block_size_changes_nothing(path, data, size):
    same(read(path, data, size), naive(data), path)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("bad", "fact"),
    [
        (b"q Q0 d 1 nan t", '"nan"'),
        (b"q Q0 d 1 t", "5 columns"),
        (b"q Q0  1 0.5 t", "5 columns"),
        (b" q Q0 d 1 0.5", "5 columns"),
        (b"q Q0 d 1 0.5 ", "5 columns"),
        (b"q Q0 d\xe9 1 1 t", "UTF-8"),
        (b"q Q0 d 1 1\0 t", "binary data"),
        (b"q\x01Q0 d 1 0.5 t", "binary data"),
        (b"q\rQ0 d 1 0.5 t", "carriage return"),
        (b"q Q0 d 1 1 t\rq Q0 e 1 1 t", "carriage return"),
    ],
)
@pytest.mark.parametrize("at", [0, 7, 14])
def test_errors_name_the_same_line_for_every_block_size(path, size, bad, fact, at):
    lines = [b"query-%d Q0 document-%d 1 0.5 tag" % (n % 3, n) for n in range(15)]
    lines[4], lines[5] = b"", b"# a comment"
    lines[at] = bad
    with pytest.raises(InputError) as error:
        read(path, b"\n".join(lines), size)
    assert error.value.where == f"{path}, line {at + 1}"
    assert fact in error.value.problem
    assert error.value.hint


@pytest.mark.parametrize("size", SIZES)
def test_a_line_too_short_is_not_made_up_for_by_one_too_long(path, size):
    good, short, long = b"q Q0 d 1 1 t", b"q Q0 e 1 1", b"q Q0 f 1 1 t more"
    for at, lines in ((1, [short, long]), (2, [long, short]), (3, [good, long, short, good])):
        with pytest.raises(InputError, match=f"line {at}: .*5 columns"):
            read(path, b"\n".join(lines), size)


@pytest.mark.parametrize("size", SIZES)
def test_ids_that_grow_and_shrink_across_blocks(path, size):
    lengths = [1, 7, 8, 9, 300, 1, 16, 17, 4096, 2]
    data = "".join(f"q{n} Q0 {'ü' * (n // 2)}{'d' * (n % 2)} 1 {n} t\n" for n in lengths).encode()
    same(read(path, data, size), naive(data), path)


@pytest.mark.parametrize("size", [1, 64, None])
def test_scattered_queries_are_gathered_in_file_order(path, size):
    data = b"b Q0 1 1 4 t\na Q0 2 1 3 t\nb Q0 3 1 2 t\n\na Q0 4 1 1 t\nb Q0 5 1 0 t\n"
    triples = read(path, data, size)
    assert triples.queries == ("b", "a")
    assert decode(triples.documents) == ["1", "3", "5", "2", "4"]
    assert [triples.place(row)[-1] for row in range(5)] == ["1", "3", "6", "2", "5"]


def test_a_file_cut_anywhere_is_read_or_refused_at_its_last_line(path):
    data = "q Q0 d\u00e9 1 0.25 tag\nq Q0 e 2 0.125 tag\n".encode()
    for end in range(1, len(data)):
        cut = data[:end]
        try:
            same(read(path, cut), naive(cut), path)
        except InputError as error:
            assert error.where == f"{path}, line {cut.count(10) + 1}"  # noqa: PT017


@pytest.mark.parametrize("size", [1, 64, None])
def test_gzip_and_byte_order_mark(path, size):
    data = b"q Q0 d 1 0.5 t\nq Q0 e 2 0.25 t\n"
    expected = naive(data)
    for packed in (gzip.compress(data), gzip.compress(data[:15]) + gzip.compress(data[15:])):
        same(read(path, packed, size), expected, path)
    marked = b"\xef\xbb\xbf" + data
    same(read(path, marked, size and max(size, 3)), expected, path)
    same(read(path, gzip.compress(marked), size and max(size, 3)), expected, path)


def test_a_very_long_line(path):
    data = b"q Q0 d 1 0.5 " + b"t " * 2_000_000 + b"\nq Q0 e 1 0.5 t\n"
    same(read(path, data, 1 << 16), naive(data), path)


def test_a_line_that_never_ends_is_refused_before_memory_is_gone(path, monkeypatch, snapshot):
    monkeypatch.setattr(block, "LONGEST_LINE", 1000)
    with pytest.raises(InputError) as error:
        read(path, b"q Q0 d 1 1 t\n" + b"x" * 5000, 64)
    assert error.value.where == f"{path}, line 2"
    snapshot(f"{error.value.problem}\n{error.value.hint}")


def test_an_id_that_would_blow_up_the_array_is_refused(path):
    with pytest.raises(InputError, match=r'"ddd.*4,096') as error:
        read(path, b"q Q0 d 1 1 t\nq Q0 " + b"d" * 4097 + b" 1 1 t\n")
    assert error.value.where == f"{path}, line 2"
    assert error.value.hint


def test_the_short_way_is_really_taken(path, monkeypatch):
    """A regular file must not need the general splitter, whose results it equals above."""
    monkeypatch.setattr(fields_module, "_split_any", None)
    assert read(path, b"q Q0 d 1 1 t\nq Q0 e 1 1 t\n").queries == ("q",)
    assert read(path, b"q\tQ0\td\t1\t1\tt\n").queries == ("q",)


titled_ids = st.text(st.sampled_from("ab #\"'é,;x"), min_size=1, max_size=9).filter(
    lambda text: text.strip() and not text.startswith("#")
)


@given(
    st.lists(st.tuples(titled_ids, titled_ids, st.integers(-3, 3), edges), min_size=1, max_size=9),
    line_ends,
    st.integers(1, 64),
)
def test_tabs_keep_blanks_inside_of_ids(path, rows, line_end, size):
    lines = [f"{q}\t{d}\t{v}" + ("\tmore" if e else "") for q, d, v, e in rows]
    data = line_end.join(["query\tdocument\tgrade", *lines, "", ""]).encode()
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block, "SIZE", size)
        patch.setattr(source, "HEAD", size)
        with Source(path) as opened:
            layout = ("query", "document", "grade")
            triples = delimited(opened, layout, (0, 1, 2), tabs=True, header=True)
    groups = {}
    for number, (query, document, value, _) in enumerate(rows, start=2):
        groups.setdefault(query, []).append((document, float(value), number))
    same(triples, (groups, sum(bool(row[3]) for row in rows), 0), path)


def test_two_hundred_thousand_lines(path):
    chance = random.Random(7)
    lines = [
        f"{chance.randrange(300)} Q0 doc{chance.randrange(10**6)} {n} {chance.gauss(0, 9)!r} t"
        for n in range(200_000)
    ]
    data = "\n".join(lines).encode()
    triples = read(path, data)
    groups, _, _ = naive(data)
    rows = [row for group in groups.values() for row in group]
    assert triples.queries == tuple(groups)
    assert decode(triples.documents) == [row[0] for row in rows]
    assert triples.values.tolist() == [row[1] for row in rows]
    assert all(triples.place(at).endswith(f" {rows[at][2]}") for at in range(0, 200_000, 4999))
