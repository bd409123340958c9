"""Input that would take all memory or fill the screen."""

import gzip

import pytest

from assay.columns import Source
from assay.columns.files.source import LIMIT
from assay.errors import InputError
from assay.rankings.load import load

LINES = b"".join(b"q Q0 document%d 1 1 t\n" % n for n in range(5000))


TABLE = b"query,document,score\n" + b"q,d,1\n" * 50_000


@pytest.mark.parametrize(
    "content",
    [LINES, b" " * 200_000, b'{"q": {%s}}' % (b" " * 200_000), TABLE],
    ids=["lines", "blanks", "json", "table"],
)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(tmp_path, monkeypatch, content):
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(content))
    monkeypatch.setenv(LIMIT, "100000")
    with pytest.raises(InputError, match="100,000 bytes") as caught:
        load(path)
    assert LIMIT in caught.value.hint


def test_the_limit_is_of_what_is_unpacked(tmp_path, monkeypatch):
    path, packed = tmp_path / "run.txt", tmp_path / "run.gz"
    path.write_bytes(LINES)
    packed.write_bytes(gzip.compress(LINES))
    monkeypatch.setenv(LIMIT, "100_000")
    assert len(load(path).documents) == 5000
    monkeypatch.setenv(LIMIT, str(len(LINES)))
    assert len(load(packed).documents) == 5000
    monkeypatch.setenv(LIMIT, "lots")
    with pytest.raises(InputError, match=f'{LIMIT}: .*"lots"'), Source(packed) as source:
        source.head()


def test_blanks_without_end_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.columns.files.source.BLANK", 1 << 16)
    path = tmp_path / "run.txt"
    path.write_bytes(b" " * 300_000)
    with pytest.raises(InputError, match="empty"):
        load(path)


@pytest.mark.parametrize("name", ["run.txt", "run.csv", "run.tsv", "run.json"])
def test_a_value_of_a_million_digits_is_cut_in_messages(tmp_path, name):
    digits = "9" * 1_000_000
    forms = {
        "txt": f"q Q0 d 1 {digits} t\n",
        "csv": f"query,document,score\nq,d,{digits}\n",
        "tsv": f"query\tdocument\tscore\nq\td\t{digits}\n",
        "json": f'{{"q": {{"d": "{digits}"}}}}',
    }
    path = tmp_path / name
    path.write_text(forms[path.suffix[1:]])
    with pytest.raises(InputError) as caught:
        load(path)
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize(
    "start", [b"q Q0 ", b"query,document,score\nq,", b"query\tdocument\tscore\nq\t"]
)
def test_a_line_of_100_mb_is_refused(tmp_path, start, snapshot):
    path = tmp_path / "run.txt"
    with path.open("wb") as file:
        file.write(start)
        for _ in range(100):
            file.write(b"d" * 1_000_000)
    with pytest.raises(InputError) as caught:
        load(path)
    lines = start.count(b"\n") + 1
    assert caught.value.where == f"{path}, line {lines}"
    snapshot(caught.value)
