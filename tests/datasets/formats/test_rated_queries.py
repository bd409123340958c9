"""Ratings of other tools that cannot become grades are refused, each with its place."""

import json
from dataclasses import replace

import pytest

import assay
from assay.datasets.load import load
from assay.datasets.load_judgments import load_judgments
from assay.datasets.save import save
from assay.errors import InputError
from assay.workflows.read_judgments import read_judgments


def loaded(tmp_path, value, **options):
    path = tmp_path / "ratings.json"
    path.write_text(json.dumps(value))
    return load(path, **options)


def opensearch(*ratings, **more):
    rows = [{"query": query, "ratings": [{"docId": d, "rating": r}]} for query, d, r in ratings]
    return {"judgmentRatings": rows, **more}


def test_two_ratings_of_one_document_are_told_with_both_places(tmp_path, snapshot):
    with pytest.raises(InputError) as refused:
        loaded(tmp_path, opensearch(("hose", "a", "1"), ("rake", "b", "1"), ("hose", "a", "2")))
    assert "judgmentRatings[2]" in refused.value.where
    assert "judgmentRatings[0]" in refused.value.problem
    snapshot(refused.value)


@pytest.mark.parametrize("rating", ["high", "nan", "Infinity", "1e9", "1_0", "-1e400", True])
def test_what_is_not_a_number_is_refused(tmp_path, rating):
    with pytest.raises(InputError, match="rating"):
        loaded(tmp_path, opensearch(("hose", "a", rating)))


@pytest.mark.parametrize(
    ("ratings", "grades", "scale"),
    [
        (["0.5", "1"], [5, 10], 10),
        (["0.125"], [125], 1000),
        (["2.5", "4"], [25, 40], 40),
        (["1.0", 3], [1, 3], 3),
    ],
)
def test_decimals_become_whole_grades(tmp_path, ratings, grades, scale):
    rows = [("hose", f"d{at}", rating) for at, rating in enumerate(ratings)]
    found = loaded(tmp_path, opensearch(*rows))
    assert [one.grade for one in found.queries[0].judgments] == grades
    assert found.scale == scale


@pytest.mark.parametrize("ratings", [["0.12345"], ["0.001", "2"]])
def test_too_many_decimals_are_refused(tmp_path, ratings):
    rows = [("hose", f"d{at}", rating) for at, rating in enumerate(ratings)]
    with pytest.raises(InputError, match=rf"{ratings[0]}\D"):
        loaded(tmp_path, opensearch(*rows))


def test_one_judgment_list_is_read_of_a_response(tmp_path):
    hit = {"_source": opensearch(("hose", "a", "1"), name="shop")}
    assert loaded(tmp_path, {"hits": {"hits": [hit]}}).name == "shop"
    with pytest.raises(InputError, match="2 judgment lists"):
        loaded(tmp_path, {"hits": {"hits": [hit, hit]}})


def rank_eval(**request):
    given = {"id": "r1", "ratings": [{"_index": "i", "_id": "a", "rating": 1}], **request}
    return {"requests": [given], "metric": {"mean_reciprocal_rank": {}}}


def test_a_request_without_one_text_is_noted(tmp_path, snapshot):
    both = {"bool": {"should": [{"match": {"t": "hose"}}, {"match": {"t": {"query": "pipe"}}}]}}
    found = loaded(tmp_path, rank_eval(request={"query": both}))
    assert found.queries[0].text == ""
    snapshot(found.notes)


def test_one_id_in_two_indexes_is_refused(tmp_path):
    ratings = [{"_index": index, "_id": "a", "rating": 1} for index in ("new", "old")]
    with pytest.raises(InputError, match=r'"new".*"old"'):
        loaded(tmp_path, rank_eval(request={}, ratings=ratings))


def test_an_id_of_a_request_is_used_once(tmp_path):
    value = rank_eval(request={})
    with pytest.raises(InputError, match='"r1"'):
        loaded(tmp_path, {**value, "requests": value["requests"] * 2})


def test_documents_that_are_not_in_the_corpus_of_llamaindex_are_refused(tmp_path):
    value = {"queries": {"q": "hose"}, "corpus": {"a": "x"}, "relevant_docs": {"q": ["b"], "p": []}}
    with pytest.raises(InputError) as refused:
        loaded(tmp_path, value)
    assert 'document "b"' in str(refused.value)
    assert 'query "p"' in str(refused.value)


def test_a_zip_archive_is_told(tmp_path):
    (tmp_path / "book.json.zip").write_bytes(b"PK\x03\x04 and more")
    with pytest.raises(InputError, match="zip archive"):
        load(tmp_path / "book.json.zip")


def test_a_column_of_clicks_beside_grades_is_no_log(tmp_path):
    (tmp_path / "graded.csv").write_text("query,doc_id,grade,clicks\nhose,a,2,70\n")
    (only,) = load(tmp_path / "graded.csv").queries[0].judgments
    assert only.grade == 2


def test_clicks_in_parquet_are_not_suggested_as_grades(tmp_path):
    import polars as pl

    rows = pl.DataFrame({"query_id": ["1"], "doc_id": ["a"], "clicks": [70]})
    rows.write_parquet(tmp_path / "log.parquet")
    with pytest.raises(InputError) as refused:
        load(tmp_path / "log.parquet")
    assert '"clicks"' not in refused.value.hint


def test_a_key_of_others_in_our_own_lines_is_no_reason_to_refuse(tmp_path):
    line = {"query": "hose", "relevant": ["a"], "reference_contexts": ["x"], "action_name": "y"}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(line) + "\n")
    assert load(tmp_path / "pairs.jsonl").format == "jsonl_pairs"


def test_formats_that_are_only_read_say_so(tmp_path):
    from assay.datasets.save import save

    found = loaded(tmp_path, opensearch(("hose", "a", "1")))
    with pytest.raises(InputError, match="not written"):
        save(found, tmp_path / "x.json", format="opensearch_judgments")


RATED = "query,docid,rating\nq1,d1,3.0\nq1,d2,1.0\nq1,d3,0.5\nq2,d4,1.0\nq2,d5,2.5\n"
RUN = {"q1": {"d2": 3.0, "d1": 2.0, "d3": 1.0}, "q2": {"d4": 2.0, "d5": 1.0}}


def rated(tmp_path):
    (tmp_path / "rated.csv").write_text(RATED)
    return tmp_path / "rated.csv"


def test_a_level_counts_in_ratings(tmp_path):
    """Both first hits are rated 1.0, which is below 2; each query has one document that is not."""
    twin = tmp_path / "twin.json"
    rows = [line.split(",") for line in RATED.splitlines()[1:]]
    lists = [
        {"query": key, "ratings": [{"docId": d, "rating": r} for q, d, r in rows if q == key]}
        for key in ("q1", "q2")
    ]
    twin.write_text(json.dumps({"judgmentRatings": lists}))
    wanted = ["precision(rel=2)@1", "recall(rel=2)@10", "mrr(rel=3)", "recall@1"]
    for path in (rated(tmp_path), twin):
        scores = assay.evaluate(str(path), RUN, wanted).scores
        assert [*scores.values()] == [0.0, 1.0, 0.25, pytest.approx((1 / 3 + 1 / 2) / 2)]


def test_the_scale_counts_in_ratings(tmp_path):
    path = str(rated(tmp_path))
    assert read_judgments(path, scale=4).scale == 40
    with pytest.raises(InputError, match=r"grade 3 .* 2\n.* 3"):
        read_judgments(path, scale=2)


def test_the_bounds_of_unjudged_documents_count_in_ratings(tmp_path):
    judged = assay.evaluate(
        str(rated(tmp_path)),
        {"q1": {"new": 4.0, **RUN["q1"]}, "q2": RUN["q2"]},
        "recall(rel=2)@1",
        unjudged="bounds",
    )
    assert judged.bounds == {"recall(rel=2)@1": pytest.approx((0.0, 0.25))}


@pytest.mark.parametrize("ending", [".quepid.csv", ".json", ".yaml"])
def test_a_conversion_keeps_ratings(tmp_path, ending):
    dataset = load(rated(tmp_path))
    lost = save(dataset, tmp_path / f"new{ending}")
    assert not any("grade" in text or "scale" in text for text in lost)
    again = load(tmp_path / f"new{ending}")
    assert (again.factor, again.queries[0].judgments) == (10, dataset.queries[0].judgments)


def test_a_conversion_that_keeps_grades_alone_says_so(tmp_path):
    dataset = load(rated(tmp_path))
    for name in ("new.csv", "new.jsonl", "new.tsv"):
        assert any("x 10" in text for text in save(dataset, tmp_path / name))


def test_ratings_that_became_whole_need_no_factor(tmp_path):
    dataset = load(rated(tmp_path))
    (first, second) = dataset.queries
    whole = replace(dataset, queries=(replace(first, judgments=first.judgments[:2]),))
    save(whole, tmp_path / "new.quepid.csv")
    assert (tmp_path / "new.quepid.csv").read_text().splitlines()[1:] == [
        '"q1","d1",3',
        '"q1","d2",1',
    ]
    assert second.judgments[1].grade == 25


def test_a_refusal_of_decimals_says_which_formats_take_them(tmp_path):
    path = tmp_path / "j.csv"
    path.write_text("query_id,doc_id,rating\nq,a,0.33\n")
    for read in (load, load_judgments, lambda _: load_judgments({"q": {"a": 0.5}})):
        with pytest.raises(InputError, match=r"hint: .*query,docid,rating"):
            read(path)
