"""The values that scores are broken down by: those of queries, else of relevant documents."""

import json

import pytest

import assay
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import ProblemsError

CORPUS = [
    {"_id": "d1", "text": "the pump leaks", "language": "en", "product": ["pump", "seal"]},
    {"_id": "d2", "text": "die Pumpe leckt", "language": "de", "year": 2020},
    {"_id": "d3", "text": "the valve", "language": "en", "draft": True},
]
QUERIES = """queries:
  - {id: a, query: pump, expected_files: [d1], extra: {product: "own value"}}
  - {id: b, query: pumpe, expected_files: [d2], category: german}
  - {id: c, query: valve pump, expected_files: [d1, d3]}
  - {id: d, query: valve, expected_files: [d3, {path: d2, grade: 0}]}
"""


def run(place, **more):
    (place / "corpus.jsonl").write_text("\n".join(map(json.dumps, CORPUS)))
    (place / "queries.yaml").write_text(QUERIES)
    one = {"dataset": str(place / "queries.yaml"), "corpus": str(place / "corpus.jsonl")}
    given = one | {"metrics": ["recall@5"], "primary": "recall@5"}
    given["configurations"] = [{"name": "words", "search": "lexical"}]
    return assay.run(given | more, workspace=place / "w", untimed=True)


def test_by_hand(tmp_path):
    fields = ["language", "product", "category", "draft", "prodct"]

    report = run(tmp_path, breakdowns=fields)

    values = {key: one.get("breakdowns") for key, one in report.queries.items()}
    assert values == {
        "a": {"language": ["en"], "product": ["own value"]},  # its own, not that of the document
        "b": {"language": ["de"], "category": ["german"]},
        "c": {"language": ["en"], "product": ["pump", "seal"], "draft": ["true"]},
        "d": {"language": ["en"], "draft": ["true"]},  # a document of grade 0 does not count
    }
    found = report.analysis["breakdowns"]
    assert [(one["value"], one["queries"]) for one in found["language"]] == [("de", 1), ("en", 3)]
    assert report.benchmark["breakdowns"] == fields
    (note,) = [note for note in report.notes if note.startswith("breakdowns")]
    assert '"prodct"' in note
    assert 'did you mean "product"' in note


def test_what_a_page_is_written_in_is_no_language(tmp_path):
    (tmp_path / "docs").mkdir()
    texts = {"a.md": "---\nlanguage: de\n---\n# Pumpe\n", "b.txt": "pump", "c.py": "pump = 1\n"}
    for name, text in texts.items():
        (tmp_path / "docs" / name).write_text(text)
    (tmp_path / "queries.yaml").write_text(
        "queries:\n" + "".join(f"  - {{id: {one[0]}, query: pump, expected_files: [{one}]}}\n"
                              for one in ("a.md", "b.txt", "c.py")))  # fmt: skip
    given = {"dataset": str(tmp_path / "queries.yaml"), "corpus": str(tmp_path / "docs")}
    given |= {
        "breakdowns": ["language"],
        "configurations": [{"name": "words", "search": "lexical"}],
    }
    report = assay.run(given, workspace=tmp_path / "w", untimed=True)

    found = {one["value"] for one in report.analysis["breakdowns"]["language"]}
    assert found == {"de", "python", "no value"}


def test_several_datasets(tmp_path):
    run(tmp_path)
    one = {"dataset": str(tmp_path / "queries.yaml"), "corpus": str(tmp_path / "corpus.jsonl")}
    given = {
        "datasets": [one | {"name": "first"}, one | {"name": "second"}],
        "configurations": [{"name": "words", "search": "lexical"}],
        "metrics": ["recall@5"],
        "primary": "recall@5",
        "breakdowns": "language, yaer",
    }
    report = assay.run(given, workspace=tmp_path / "w", untimed=True)
    assert report.queries["second/b"]["breakdowns"] == {"language": ["de"]}
    counted = {one["value"]: one["queries"] for one in report.analysis["breakdowns"]["language"]}
    assert counted == {"de": 2, "en": 6}
    (note,) = [note for note in report.notes if "breakdowns" in note]
    assert note.endswith('did you mean "year"?')  # once for all of them


def test_a_field_that_only_some_datasets_have_is_known(tmp_path):
    run(tmp_path)
    (tmp_path / "other.jsonl").write_text('{"_id": "d1", "text": "pump"}')
    (tmp_path / "other.yaml").write_text("queries: [{id: a, query: pump, expected_files: [d1]}]")
    pairs = {"queries.yaml": "corpus.jsonl", "other.yaml": "other.jsonl"}
    given = {
        "datasets": [
            {"dataset": str(tmp_path / one), "corpus": str(tmp_path / its)}
            for one, its in pairs.items()
        ],
        "configurations": [{"name": "words", "search": "lexical"}],
        "breakdowns": ["language"],
    }
    report = assay.run(given, workspace=tmp_path / "w", untimed=True)
    assert not [note for note in report.notes if "breakdowns" in note]
    assert "breakdowns" not in report.queries["other/a"]


def test_fields_inside_of_others_and_values_that_are_no_texts(tmp_path, monkeypatch):
    more = "[{id: e, query: pump, expected_files: [d1], filters: {language: en}, extra: "
    more += "{user: {plan: pro, seats: 3}, beta: false, tags: [a, 1]}}]"
    monkeypatch.setattr(f"{__name__}.QUERIES", f"queries: {more}")
    fields = ["user.plan", "user.seats", "beta", "tags", "user", "filters"]

    report = run(tmp_path, breakdowns=fields)

    assert report.queries["e"]["breakdowns"] == {
        "user.plan": ["pro"],
        "user.seats": ["3"],
        "beta": ["false"],
        "tags": ["1", "a"],
    }
    notes = [note for note in report.notes if note.startswith("breakdowns")]
    assert ['"user"' in notes[0], '"filters"' in notes[1], len(notes)] == [True, True, 2]


def test_without_them_nothing_is_told(tmp_path):
    report = run(tmp_path)
    assert "breakdowns" not in report.benchmark
    assert report.analysis["breakdowns"] == {}
    assert not any("breakdowns" in one for one in report.queries.values())


@pytest.mark.parametrize("given", [3, [3], {"a": 1}, [""], ["a\x1b"]])
def test_what_is_no_list_of_fields(tmp_path, given):
    with pytest.raises(ProblemsError, match="breakdowns"):
        read_benchmark({"dataset": "stdlib", "configurations": ["a"], "breakdowns": given})
