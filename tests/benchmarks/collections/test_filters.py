"""Filters of queries: what is refused, and what is noted."""

import pytest

import assay
from assay.benchmarks.collections.filters import ignored_filters
from assay.errors import InputError
from assay.records import Configuration, Dataset, Query

CORPUS = """{"_id": "d1", "text": "the pump", "language": "en"}
{"_id": "d2", "text": "die Pumpe", "language": "de"}
"""
QUERIES = """queries:
  - {id: fine, query: pump, expected_files: [d1], filters: {language: en}}
  - {id: nothing, query: pump, expected_files: [d1], filters: {language: fr}}
  - {id: hidden, query: pumpe, expected_files: [d2], filters: "language=en"}
  - {id: plain, query: pumpe, expected_files: [d2]}
"""


def run(place, queries=QUERIES, **more):
    (place / "corpus.jsonl").write_text(CORPUS)
    (place / "queries.yaml").write_text(queries)
    given = {
        "dataset": str(place / "queries.yaml"),
        "corpus": str(place / "corpus.jsonl"),
        "metrics": ["recall@5"],
        "configurations": [{"name": "words", "search": "lexical"}],
    }
    return assay.run(given | more, workspace=place / "w", untimed=True)


def test_queries_find_what_their_filters_let_through(tmp_path):
    report = run(tmp_path)

    (words,) = report.runs
    found = {key: scores["recall@5"] for key, scores in words.per_query.items()}
    assert found == {"fine": 1.0, "nothing": 0.0, "hidden": 0.0, "plain": 1.0}
    notes = [note for note in report.notes if "filters" in note]
    assert [note.rpartition(": ")[2] for note in notes] == ['"nothing"', '"hidden"']
    assert not any("documents, " in note for note in report.notes)  # all have the field

    (tmp_path / "more").mkdir()
    lacking = run(tmp_path / "more", QUERIES.replace("language: fr", "year: 2020"))
    assert 'of 2 documents, 2 have no "year"' in lacking.notes
    assert words.waterfall["filter"] == pytest.approx(0.5)  # no stage of a search is to blame


def test_other_filters_are_another_dataset(tmp_path):
    first = run(tmp_path)
    second = run(tmp_path, QUERIES.replace("language: fr", "language: en"))
    again = run(tmp_path)

    assert first.dataset["fingerprint"] == again.dataset["fingerprint"]
    assert first.dataset["fingerprint"] != second.dataset["fingerprint"]
    assert second.runs[0].scores["recall@5"] == 0.75


def test_filters_that_cannot_be_read_are_refused_with_their_query(tmp_path):
    with pytest.raises(InputError, match='query "fine"'):
        run(tmp_path, QUERIES.replace("{language: en}}", "{term: {language: en}}}"))


def test_a_system_whose_request_has_no_filters_gets_a_note(tmp_path):
    queries = tuple(Query(key, key, extra={"filters": {"a": 1}}) for key in ("q1", "q2"))
    kinds = {
        "without": {"kind": "http", "url": "http://127.0.0.1:1/{query}"},
        "with": {"kind": "http", "url": "http://127.0.0.1:1/{query}?lang={query.filters.a}"},
        "function": {"kind": "callable", "function": "some:search"},
        "recorded": {"kind": "run_file", "path": "a.run"},
    }
    chosen = [Configuration(name=name, system=system) for name, system in kinds.items()]

    (note,) = ignored_filters(Dataset("d", queries), [*chosen, Configuration()])

    assert note.startswith('"without" ignores the filters of 2 queries')
    assert not [*ignored_filters(Dataset("d", (Query("q", "q"),)), chosen)]
