"""Weights of queries, wherever people write them."""

import json

import pytest

from assay.benchmarks.collections.describe import about_dataset, dataset_fingerprint
from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference


def weights(dataset):
    return {query.key: query.weight for query in dataset.queries}


def lines(*records):
    return "\n".join(json.dumps(one) for one in records) + "\n"


FILES = {
    "assay.json": json.dumps(
        {
            "queries": [
                {"query_key": "q1", "query_text": "a", "weight": 3, "relevant_docs": ["x"]},
                {"query_key": "q2", "query_text": "b", "weight": 0.5, "relevant_docs": ["y"]},
            ]
        }
    ),
    "expected.yaml": "queries:\n"
    "  - {id: q1, query: a, weight: 3, expected_files: [x.md]}\n"
    "  - {id: q2, query: b, weight: 0.5, expected_files: [y.md]}\n",
    "pairs.jsonl": lines(
        {"id": "q1", "query": "a", "relevant": ["x"], "weight": 3},
        {"id": "q2", "query": "b", "relevant": ["y"], "weight": 0.5},
    ),
    "rows.jsonl": lines(
        {"query_id": "q1", "query": "a", "doc_id": "x", "grade": 1, "weight": 3},
        {"query_id": "q1", "query": "a", "doc_id": "z", "grade": 0, "weight": 3},
        {"query_id": "q2", "query": "b", "doc_id": "y", "grade": 1, "weight": 0.5},
    ),
    "sheet.csv": "query_id,query,document,grade,Weight\nq1,a,x,1,3\nq1,a,z,0,3\nq2,b,y,1,0.5\n",
    "questions.json": json.dumps(
        [
            {"id": "q1", "question": "how to a", "file": "x.md", "weight": 3},
            {"id": "q2", "question": "how to b", "file": "y.md", "weight": 0.5},
        ]
    ),
    "questions.csv": "id,question,answer file,weight\nq1,how to a,x.md,3\nq2,how to b,y.md,0.5\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_weight_is_read(name, tmp_path):
    (tmp_path / name).write_text(FILES[name])

    found = load(tmp_path / name)

    assert weights(found) == {"q1": 3.0, "q2": 0.5}
    assert all("weight" not in map(str.lower, query.extra) for query in found.queries)
    assert not any("weight" in note for note in found.notes)


@pytest.mark.parametrize("inside", [False, True])
def test_beir_has_it_in_its_queries_or_their_metadata(inside, tmp_path):
    def line(key, weight):
        more = {"weight": weight}
        return {"_id": key, "text": key, **({"metadata": more} if inside else more)}

    (tmp_path / "queries.jsonl").write_text(lines(line("q1", 3), line("q2", 0.5)))
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tx\t1\nq2\ty\t1\n")

    assert weights(load(tmp_path)) == {"q1": 3.0, "q2": 0.5}


def pairs(tmp_path, *queries):
    file = tmp_path / "pairs.jsonl"
    named = enumerate(queries, 1)
    file.write_text(
        lines(*({"id": f"q{n}", "query": "a", "relevant": ["x"], **q} for n, q in named))
    )
    return file


@pytest.mark.parametrize(
    "name", ["traffic", "Frequency", "count", "impressions", "search_volume", "searchVolume"]
)
def test_a_count_of_every_query_is_its_weight_and_a_note_says_so(name, tmp_path):
    found = load(pairs(tmp_path, {name: 7}, {name: "2"}))

    assert weights(found) == {"q1": 7.0, "q2": 2.0}
    assert f'queries are weighted by "{name}"' in found.notes
    assert all(not query.extra for query in found.queries)


def test_a_weight_comes_before_a_count(tmp_path):
    found = load(pairs(tmp_path, {"weight": 7, "count": 1}, {"weight": 2, "count": 5}))

    assert weights(found) == {"q1": 7.0, "q2": 2.0}
    assert [dict(query.extra) for query in found.queries] == [{"count": 1}, {"count": 5}]


def test_a_query_without_a_weight_counts_1(tmp_path):
    found = load(pairs(tmp_path, {"weight": 7}, {}, {}))

    assert weights(found) == {"q1": 7.0, "q2": 1.0, "q3": 1.0}
    assert "2 queries have no weight and count 1" in found.notes


def test_a_count_that_some_lack_is_not_used_and_that_is_said(tmp_path):
    found = load(pairs(tmp_path, {"count": 7}, {}, {"count": 0}))

    assert set(weights(found).values()) == {1.0}
    assert '"count" is not used as weight: 2 queries without a number above 0' in found.notes
    assert found.queries[0].extra == {"count": 7}


def test_words_are_no_count(tmp_path):
    found = load(pairs(tmp_path, {"frequency": "often"}, {"frequency": "daily"}))

    assert set(weights(found).values()) == {1.0}
    assert not any("frequency" in note for note in found.notes)


def test_two_counts_are_refused_by_name(tmp_path):
    with pytest.raises(InputError, match='"count" and "traffic" could each') as caught:
        load(pairs(tmp_path, {"count": 7, "traffic": 2}, {"count": 1, "traffic": 1}))
    assert '"weight"' in caught.value.hint


@pytest.mark.parametrize("wrong", [0, -1, "often", "1,204", True, None, [3], "nan", "inf", 10**400])
def test_a_wrong_weight_is_refused_with_its_query(wrong, tmp_path):
    with pytest.raises(InputError, match='query "q2": "weight": invalid weight'):
        load(pairs(tmp_path, {"weight": 1}, {"weight": wrong}))


def test_a_weight_that_differs_between_the_rows_of_a_query_is_refused(tmp_path):
    file = tmp_path / "sheet.csv"
    file.write_text("query_id,document,grade,weight\nq1,x,1,3\nq1,z,0,4\nq2,y,1,2\n")
    with pytest.raises(InputError, match="line 3: the weight differs"):
        load(file)


def test_a_count_of_documents_is_no_weight_of_queries(tmp_path):
    file = tmp_path / "sheet.csv"
    file.write_text("query_id,document,grade,count\nq1,x,1,30\nq1,z,0,4\nq2,y,1,2\n")

    found = load(file)

    assert set(weights(found).values()) == {1.0}
    assert '"count" is not used as weight: 1 query without a number above 0' in found.notes


def test_yaml_with_expected_files_suggests_the_key(tmp_path):
    file = tmp_path / "expected.yaml"
    file.write_text("queries:\n  - {id: q1, query: a, traffic: 3, expected_files: [x.md]}\n")
    with pytest.raises(InputError, match='did you mean "weight"'):
        load(file)


def judged(**weights):
    return Dataset(
        "d",
        tuple(
            Query(key, f"text of {key}", (Judgment(Reference.named("x"), 1),), weight=weight)
            for key, weight in weights.items()
        ),
    )


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("a.json", []),
        ("a.yaml", []),
        ("a.jsonl", []),
        ("a.csv", []),
        ("a.quepid.csv", ["the weight of 2 queries is lost"]),
    ],
)
def test_convert_keeps_weights_or_counts_what_is_lost(name, lost, tmp_path):
    dataset = judged(q1=5200.0, q2=0.1, q3=1.0)

    told = save(dataset, tmp_path / name)

    assert [text for text in told if "weight" in text] == lost
    if not lost:
        assert weights(load(tmp_path / name)) == {"q1": 5200.0, "q2": 0.1, "q3": 1.0}


def test_a_fingerprint_has_weights_only_where_there_are_any():
    plain, equal, unequal = judged(q=1.0, r=1.0), judged(q=2.0, r=2.0), judged(q=1.0, r=2.0)

    # What a dataset without weights was called before there were any.
    before = "c2ac190a52e3909a60fd2627a43c028648268b6405a3bfea2392b55b6bd51b70"
    assert dataset_fingerprint(plain) == before
    assert len({dataset_fingerprint(one) for one in (plain, equal, unequal)}) == 3
    assert "weights" not in about_dataset(equal)
    assert about_dataset(unequal)["weights"] == {
        "effective_queries": 1.8,
        "heaviest": "r",
        "heaviest_share": 2 / 3,
    }


def test_traffic_is_empty_where_queries_count_the_same():
    assert judged(q=2.0, r=2.0).traffic == {}
    assert judged(q=2.0, r=1.0).traffic == {"q": 2.0, "r": 1.0}


def test_a_count_beside_files_without_grades_may_be_either_and_says_how_to_tell(tmp_path):
    file = tmp_path / "questions.csv"
    file.write_text("question,file,count\nhow to a,x.md,30\nhow to b,y.md,4\n")
    with pytest.raises(InputError, match="may contain grades") as caught:
        load(file)
    assert 'rename it to "weight"' in caught.value.hint
    file.write_text(file.read_text().replace("count", "weight"))
    assert {*weights(load(file)).values()} == {30.0, 4.0}
