"""Lines of a file: by hand, then any text cut anywhere, then one line without end."""

import gzip
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.datasets import place
from assay.datasets.place import Place
from assay.errors import InputError


def lines(path):
    with Place(path) as place:
        return list(place.lines())


def test_by_hand(tmp_path):
    (tmp_path / "x").write_bytes(b"one\n\n  \r\ntwo\r\nthree")
    assert lines(tmp_path / "x") == [(1, b"one"), (4, b"two"), (5, b"three")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b" ", b"x" * 70_000]), max_size=40))
def test_pieces_do_not_show(tmp_path, parts):
    data = b"a" + b"".join(parts)
    (tmp_path / "x").write_bytes(data)
    expected = [(n, line.rstrip(b"\r")) for n, line in enumerate(data.split(b"\n"), 1)]
    assert lines(tmp_path / "x") == [(n, line) for n, line in expected if line.strip()]


def test_a_line_that_ends_with_a_piece(tmp_path):
    (tmp_path / "x").write_bytes(b"a" * ((1 << 16) - 1) + b"\n" + b"b" * (1 << 20) + b"\nc\n")
    assert [(number, len(line)) for number, line in lines(tmp_path / "x")] == [
        (1, (1 << 16) - 1),
        (2, 1 << 20),
        (3, 1),
    ]


def test_a_long_line_is_read_once(tmp_path):
    (tmp_path / "x").write_bytes(b"a" * 60_000_000)
    start = time.process_time()
    ((number, line),) = lines(tmp_path / "x")
    assert (number, len(line)) == (1, 60_000_000)
    assert time.process_time() - start < 5


def test_a_line_without_end_is_refused_before_it_is_held(tmp_path):
    with gzip.open(tmp_path / "x.gz", "wb", compresslevel=1) as file:
        file.write(b"one\ntwo\n")
        for _ in range(70):
            file.write(b"a" * 1_000_000)
    with pytest.raises(InputError, match=r"line 3 .*64,000,000 bytes\n  hint"):
        lines(tmp_path / "x.gz")


def test_the_limit_itself_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(place, "LONGEST", 2_000_000)
    (tmp_path / "x").write_bytes(b"a" * 2_000_000 + b"\n" + b"b" * 2_000_000)
    assert len(lines(tmp_path / "x")) == 2
    (tmp_path / "x").write_bytes(b"1\n" + b"b" * 2_000_001)
    with pytest.raises(InputError, match=r"line 2 .*2,000,000 bytes"):
        lines(tmp_path / "x")
