import json as standard

from hypothesis import given
from hypothesis import strategies as st

from assay.records import Reference, Resolution, ResolvedReference
from assay.reports.resolutions.json import json
from assay.reports.resolutions.mapping import mapping
from assay.reports.resolutions.summary import summary
from assay.reports.resolutions.unresolved import unresolved
from assay.text import sanitize

ROWS = (
    ResolvedReference("q1", Reference(path="a.py"), ("1",), "path"),
    ResolvedReference(
        "q1", Reference(path="b", match="substring"), ("2", "3"), "path", partial=("3",)
    ),
    ResolvedReference(
        "q2", Reference(file_name="c"), reason="ambiguous", candidates=tuple("abcde")
    ),
    ResolvedReference("q2", Reference(path="d.py"), reason="not_found", candidates=("lib/d.py",)),
    ResolvedReference("q3", Reference(content_hash="x"), reason="invalid"),
    ResolvedReference("q3", Reference(), reason="invalid"),
    ResolvedReference("q4", Reference("e"), reason="not_found", spared=True),
    ResolvedReference("q4", Reference(symbol="f"), ("4",), "symbol"),
)
FOUND = Resolution(ROWS, 7, 3, 1, 3, corpus="src", documents=9, skipped={"binary": 1})


def test_json_has_the_keys_that_programs_rely_on():
    value = json(FOUND)
    assert standard.loads(standard.dumps(value)) == value
    assert {key: value[key] for key in ("status", "total", "resolved", "ambiguous", "missing")} == {
        "status": "partial",
        "total": 7,
        "resolved": 3,
        "ambiguous": 1,
        "missing": 3,
    }
    assert [row["query"] for row in value["unresolved"]] == ["q2", "q2", "q3", "q3"]
    assert value["unresolved"][1] == {
        "query": "q2",
        "reference": 'path "d.py"',
        "reason": "not_found",
        "candidates": ["lib/d.py"],
        "keys": {"path": "d.py"},
    }
    assert [row["query"] for row in value["spared"]] == ["q4"]
    assert {key: n for key, n in value["by_key"].items() if n} == {"path": 2, "symbol": 1}
    assert (value["corpus"], value["documents"], value["skipped"]) == ("src", 9, {"binary": 1})


def test_what_several_documents_meet_is_told():
    assert json(FOUND)["several"] == [
        {
            "query": "q1",
            "reference": 'path "b"',
            "key": "path",
            "documents": 2,
            "examples": ["2", "3"],
        }
    ]
    many = ResolvedReference("q", Reference(symbol="f"), tuple(map(str, range(500))), "symbol")
    (told,) = json(Resolution((many,), 1, 1, 0, 0))["several"]
    assert (told["documents"], told["examples"]) == (500, [str(i) for i in range(10)])


def test_sentences(snapshot):
    found = unresolved(FOUND)
    snapshot(line for pair in found for line in pair if line)
    starts = ['"q2": file_name "c"', '"q2": path "d.py"', '"q3": content_hash "x"', '"q3": ']
    assert all(start in line for start, (line, _) in zip(starts, found, strict=True))
    (several, candidates), (_, near), *others = found
    assert " 5 " in several
    assert candidates.split(": ")[1].startswith("a, b, c, 2 ")
    assert near.endswith(" lib/d.py")
    assert [hint for _, hint in others] == ["", ""]


def test_a_name_cannot_break_a_line_or_steer_a_terminal():
    row = ResolvedReference("a\nb", Reference(path="\x1b[2J"), reason="not_found")
    ((line, _),) = unresolved(Resolution((row,), 1, 0, 0, 1))
    assert r'"a\nb": path "\x1b[2J" ' in line


def test_what_was_cut_off_is_said():
    row = ResolvedReference(
        "q", Reference(file_name="c"), reason="ambiguous", candidates=("x",) * 10
    )
    assert "10 or more" in unresolved(Resolution((row,), 1, 0, 1, 0))[0][0]


def test_summary_counts_by_key():
    table = summary(FOUND)
    assert table.titles == ("key", "references", "partial matches", "several documents")
    assert list(table.rows) == [["path", 2, 1, 1], ["symbol", 1, None, None]]
    assert {len(line) for line in table.footer} == {4}
    assert [line[:2] for line in table.footer] == [
        ("ambiguous", "1"),
        ("not found", "1"),
        ("invalid", "2"),
        ("not needed", "1"),
    ]
    plain = summary(Resolution(ROWS[:1], 1, 1, 0, 0))
    assert (plain.titles, list(plain.rows)) == (("key", "references"), [["path", 1]])
    assert summary(Resolution((), 0, 0, 0, 0)).rows == []
    lost = summary(Resolution(ROWS[2:4], 2, 0, 1, 1))
    assert (list(lost.rows), lost.footer) == ([("ambiguous", 1), ("not found", 1)], ())


def test_mapping_has_a_row_per_judgment():
    rows = mapping(FOUND).rows
    assert len(rows) == len(ROWS)
    assert rows[1] == ("q1", 'path "b"', "path", "2\n3", None, None, "false")
    assert rows[6][-3:] == ("not_found", None, "true")


@given(st.text(), st.text())
def test_any_name_can_be_written(query, path):
    row = ResolvedReference(query, Reference(path=path), reason="not_found", candidates=(path,))
    resolution = Resolution((row,), 1, 0, 0, 1)
    assert all(sanitize(line) == line for line in unresolved(resolution)[0])
    assert query in unresolved(resolution)[0][0] or not query.isprintable()
    assert standard.dumps(json(resolution))
    assert len(mapping(resolution).rows[0]) == len(mapping(resolution).titles)
