"""The own format: the schema's aliases, its limits, and every problem named at once."""

import json

import jsonschema_rs
import pytest

from assay.datasets.formats.assay_json import SCHEMA
from assay.datasets.limits import Limits
from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError, ProblemsError
from assay.records import Dataset, Document, Judgment, Query, Rationale, Reference

SEMANTIK = {
    "schema_version": "1.0",
    "metadata": {"name": "Handbook", "description": "Two questions.", "owner": "docs"},
    "queries": [
        {
            "query_key": "q1",
            "query_text": "how do I rotate a key",
            "relevant_docs": [
                {"doc_ref": {"uri": "file:///doc.pdf"}, "relevance_grade": 3},
                {"doc_ref": {"document_id": "doc-123"}, "relevance_grade": 0},
            ],
        },
    ],
}


@pytest.fixture
def write(tmp_path):
    def written(value):
        path = tmp_path / "d.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

    return written


def one_query(**fields):
    return {"queries": [{"query_key": "q1", "query_text": "where", **fields}]}


def problems(path, **options):
    with pytest.raises(ProblemsError) as caught:
        load(path, **options)
    return [
        (problem.where.partition(", ")[2], problem.problem) for problem in caught.value.problems
    ]


def test_the_documented_schema(write):
    assert load(write(SEMANTIK)) == Dataset(
        name="Handbook",
        description="Two questions.",
        metadata={"owner": "docs"},
        queries=(
            Query(
                "q1",
                "how do I rotate a key",
                (
                    Judgment(Reference(uri="file:///doc.pdf"), 3),
                    Judgment(Reference(document_id="doc-123"), 0),
                ),
            ),
        ),
    )


def test_aliases_and_references_that_are_bare_texts(write):
    entry = {
        "query_id": "q1",
        "query": "where",
        "relevant_doc_refs": [
            "a.md",
            {"doc_ref": "docs/b.md", "relevance_grade": "3"},
            {"uri": "file:///c.md"},
        ],
    }
    (query,) = load(write({"queries": [entry]})).queries
    assert (query.key, query.text) == ("q1", "where")
    assert query.judgments == (
        Judgment(Reference(document_id="a.md", uri="a.md", path="a.md", file_name="a.md"), 2),
        Judgment(Reference(document_id="docs/b.md", uri="docs/b.md", path="docs/b.md"), 3),
        Judgment(Reference(uri="file:///c.md"), 2),
    )


def test_category_difficulty_group_match_and_because(write):
    judgment = {
        "doc_ref": {"path": "json/decoder.py", "symbol": "JSONDecoder"},
        "relevance_grade": 3,
        "group": "either",
        "because": {"lines": [4, 9], "reason": "it reads the text"},
    }
    path = write(
        {"metadata": {"match": "substring"}}
        | one_query(category="api", difficulty="hard", tag=5, relevant_docs=[judgment])
    )
    (query,) = load(path).queries
    assert (query.category, query.difficulty, query.extra) == ("api", "hard", {"tag": 5})
    reference = Reference(path="json/decoder.py", symbol="JSONDecoder", match="substring")
    because = Rationale("it reads the text", (4, 9))
    assert query.judgments == (Judgment(reference, 3, "either", because),)


def test_documents_inline_and_the_name_of_the_file(write):
    value = {"documents": [{"id": "a", "text": "x"}]} | one_query()
    dataset = load(write(value))
    assert (dataset.name, dataset.documents) == ("d", (Document("a", "x"),))


def test_every_problem_is_named_at_once_with_its_path(write, snapshot):
    value = {
        "schema_version": "2.0",
        "metadata": {"name": 3},
        "queries": [
            {
                "query_key": "q1",
                "query_text": "x",
                "relevant_docs": [
                    {"doc_ref": {"urj": "a"}, "relevance_grade": 3.5},
                    {"doc_ref": "", "relevence_grade": 1},
                ],
            },
            {"query_text": "no key"},
        ],
    }
    found = problems(write(value))
    assert [at for at, _ in found] == [
        "schema_version",
        "metadata.name",
        "queries[0].relevant_docs[0].doc_ref",
        "queries[0].relevant_docs[0].relevance_grade",
        "queries[0].relevant_docs[1].doc_ref",
        "queries[0].relevant_docs[1]",
        "queries[1]",
    ]
    named = ('"2.0"', "3", '"urj"', "3.5", "", '"relevence_grade"', '"query_key"')
    assert all(name in problem for name, (_, problem) in zip(named, found, strict=True))
    snapshot(": ".join(one) for one in found)


@pytest.mark.parametrize(
    ("value", "at", "named"),
    [
        (one_query(relevant_dosc=[]), 'query "q1"', ['"relevant_dosc"']),
        (one_query(query="other"), 'query "q1"', ['"query_text" and "query"']),
        (
            one_query(relevant_docs=[{"doc_ref": "a", "relevance_grade": 4}]),
            'query "q1"',
            ['grade 4 of "a"'],
        ),
        (
            one_query(relevant_docs=["a"], relevant_doc_refs=["b"]),
            'query "q1"',
            ['"relevant_docs" and "relevant_doc_refs"'],
        ),
        (
            one_query(relevant_docs=["a", {"doc_ref": "a", "symbol": "get", "uri": "u"}]),
            'query "q1"',
            ['"uri"', '"symbol"'],
        ),
        (
            one_query(relevant_docs=[{"doc_ref": {"path": "a"}, "match": "substring"}]),
            'query "q1"',
            ['"match"'],
        ),
        ({"queries": one_query()["queries"] * 2}, "queries[1]", ['query key "q1"']),
        (
            {**one_query(), "documents": [{"id": "a"}, {"id": "b"}, {"id": "a"}]},
            "documents[2]",
            ['document id "a"'],
        ),
        ({"queries": {}}, "queries", ["{}"]),
        ([1], "", ["[1]"]),
    ],
)
def test_wrong_in_another_way(write, value, at, named, snapshot):
    found = problems(write(value), format="assay_json")
    assert {where for where, _ in found} == {at}
    assert all(name in problem for name, (_, problem) in zip(named, found, strict=True))
    snapshot(problem for _, problem in found)


def test_two_names_of_the_judgments_may_say_the_same(write):
    (query,) = load(write(one_query(relevant_docs=["a"], relevant_doc_refs=["a"]))).queries
    assert query.judgments == (Judgment(Reference.named("a"), 2),)


@pytest.mark.parametrize(("grades", "hint"), [((4, 7, 5), '{"scale": 7}'), ((4, "9999"), "1,000")])
def test_the_hint_is_a_scale_that_holds_every_grade(write, grades, hint):
    value = one_query(relevant_docs=[{"doc_ref": f"{g}", "relevance_grade": g} for g in grades])
    with pytest.raises(ProblemsError) as caught:
        load(write(value))
    assert len(caught.value.problems) == len(grades)
    assert all(hint in problem.hint for problem in caught.value.problems)


def test_the_scale_can_be_wider(write):
    value = one_query(relevant_docs=[{"doc_ref": "a", "relevance_grade": 4}])
    dataset = load(write({"metadata": {"scale": 4}} | value))
    assert (dataset.scale, dataset.queries[0].judgments[0].grade) == (4, 4)


def test_limits(write, snapshot):
    value = {"queries": [{"query_key": f"q{n}", "query_text": "x"} for n in range(1001)]}
    value["queries"][0]["relevant_docs"] = ["a"] * 101
    found = problems(write(value))
    assert [at for at, _ in found] == ["", 'query "q0"']
    snapshot(problem for _, problem in found)
    loaded = load(write(value), limits=Limits(queries=1001, judgments=101))
    assert len(loaded.queries) == 1001


def test_too_many_bytes_are_refused_before_they_are_read(write):
    path = write('{"queries": []' + " " * 10_000_000 + "}")
    with pytest.raises(InputError, match="10,000,000 bytes"):
        load(path)
    assert load(path, limits=Limits(size_bytes=20_000_000)).queries == ()


def test_what_is_written_fits_the_published_schema(tmp_path, write):
    dataset = load(write(SEMANTIK))
    assert save(dataset, tmp_path / "again.json") == []
    written = json.loads((tmp_path / "again.json").read_text())
    assert jsonschema_rs.is_valid(json.loads(SCHEMA.read_bytes()), written)
    assert load(tmp_path / "again.json") == dataset


def test_the_published_schema_is_a_schema():
    jsonschema_rs.meta.validate(json.loads(SCHEMA.read_bytes()))


def test_a_relative_corpus_moves_with_the_dataset(tmp_path, write):
    value = {"metadata": {"corpus": {"source": "jsonl", "path": "corpus.jsonl"}}} | one_query()
    dataset = load(write(value))
    (tmp_path / "sub").mkdir()
    save(dataset, tmp_path / "sub" / "d.json")
    assert load(tmp_path / "sub" / "d.json").corpus["path"] == "../corpus.jsonl"


def test_who_judged_when_for_which_report_and_what_was_seen(tmp_path, snapshot):
    because = Rationale("", None, "ann", "2026-11-16T12:00:00Z", "5f3a", (3, 9))
    judged = Judgment(Reference(document_id="a.py"), 0, because=because)
    dataset = Dataset("d", (Query("q", "text", (judged,)),), metadata={"judging": [{"graded": 1}]})
    path = tmp_path / "judged.json"
    assert save(dataset, path, format="assay_json") == []
    (entry,) = json.loads(path.read_text())["queries"][0]["relevant_docs"]
    assert entry["because"] == {
        "judge": "ann", "when": "2026-11-16T12:00:00Z", "report": "5f3a", "seen": [3, 9],
    }  # fmt: skip
    assert load(path) == dataset
    snapshot(save(dataset, tmp_path / "judged.csv"))
