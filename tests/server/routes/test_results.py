import csv
import io
import json
from dataclasses import replace
from http import HTTPStatus

import pytest
from tests.server.routes.small_benchmark import PATHS, make_mapping, request_for, run_benchmark

from assay.server import computing
from assay.workflows.service.run_rows import RecentRows


@pytest.fixture
def place(client, service, wait_for_job):
    return f"/api/v1/benchmarks/{run_benchmark(client, wait_for_job, make_mapping(service))}"


def test_the_report_is_what_the_command_writes(client, place, service):
    answer = client.get(f"{place}/report")
    assert answer.headers["content-type"] == "application/json"
    assert answer.content == service.ledger.report(place.rpartition("/")[2])
    assert len(answer.json()["runs"][0]["per_query"]) == len(PATHS)


def test_who_has_the_report_already_gets_it_once(client, place):
    for path in ("/report", "/results", "/rankings?run=plain"):
        first = client.get(f"{place}{path}")
        same = client.get(f"{place}{path}", headers={"If-None-Match": first.headers["etag"]})
        assert (same.status_code, same.content) == (HTTPStatus.NOT_MODIFIED, b""), path
        other = client.get(f"{place}{path}", headers={"If-None-Match": '"another"'})
        assert other.content == first.content


@pytest.mark.parametrize(
    ("format_", "media", "begins"),
    [
        ("html", "text/html; charset=utf-8", b"<!doctype html>"),
        ("md", "text/markdown; charset=utf-8", b"# "),
        ("csv", "text/csv; charset=utf-8", b""),
        ("tex", "application/x-tex", b""),
        ("parquet", "application/vnd.apache.parquet", b"PAR1"),
    ],
)
def test_each_format_is_a_file_with_a_safe_name(client, place, format_, media, begins):
    answer = client.get(f"{place}/report", params={"format": format_})
    assert answer.status_code == HTTPStatus.OK, answer.text
    assert answer.headers["content-type"] == media
    name = f"{place.rpartition('/')[2]}.report.{format_}"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.content.lower().startswith(begins.lower())
    assert answer.content


def test_a_table_of_queries(client, place):
    answer = client.get(f"{place}/report", params={"format": "csv", "table": "queries"})
    rows = [*csv.DictReader(io.StringIO(answer.text))]
    assert {(one["run"], one["query"]) for one in rows} == {
        (run, query) for run in ("plain", "stemless") for query in PATHS
    }


def test_results_have_nothing_of_single_queries(client, place):
    found = client.get(f"{place}/results").json()
    assert "queries" not in found
    assert all("per_query" not in one and "rankings" not in one for one in found["runs"])
    assert found["winner"] is not None
    assert found["comparisons"]


def test_queries_are_paged_in_their_order(client, place):
    seen, cursor = [], ""
    while True:
        asked = {"run": "plain", "limit": 4, "cursor": cursor}
        page = client.get(f"{place}/queries", params=asked).json()
        seen += page["items"]
        if not (cursor := page["next"]):
            break
    assert [one["query"] for one in seen] == [*PATHS]
    first = seen[0]
    assert (first["text"], first["error"]) == ("what is a apple", None)
    assert first["results"][0] | {"score": None} == {
        "document": "apple.txt",
        "score": None,
        "grade": 2,
    }
    assert first["scores"]["ndcg@10"] == 1.0
    failed = client.get(f"{place}/queries", params={"run": "plain", "failed": True}).json()
    assert failed == {"items": [], "next": None}


@pytest.fixture
def reads(service, monkeypatch):
    """Which reports are read from the ledger, in their order."""
    found, read = [], service.ledger.report
    monkeypatch.setattr(service.ledger, "report", lambda id_: found.append(id_) or read(id_))
    return found


def page_of(client, place, **asked):
    answer = client.get(f"{place}/queries", params={"run": "plain", "limit": 2, **asked})
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


def test_only_the_first_page_of_a_run_reads_the_report(client, place, reads):
    first = page_of(client, place)
    second = page_of(client, place, cursor=first["next"])
    assert [one["query"] for one in first["items"] + second["items"]] == [*PATHS[:4]]
    page_of(client, place, failed=True)
    assert len(reads) == 1
    page_of(client, place, run="stemless")
    assert len(reads) == 2
    for act in (client.delete, lambda path: client.post(f"{path}/undelete")):  # two revisions on
        assert act(place).status_code == HTTPStatus.OK
    assert page_of(client, place, cursor=first["next"]) == second
    assert len(reads) == 3


def test_a_run_that_is_too_large_to_remember_is_read_for_each_page(
    make_client, service, place, reads
):
    client = make_client(replace(service, rows=RecentRows(10)))
    first = page_of(client, place)
    page_of(client, place, cursor=first["next"])
    assert len(reads) == 2


def test_what_reads_a_report_takes_turns_and_further_pages_do_not(
    client, service, place, monkeypatch
):
    monkeypatch.setattr(computing, "WAIT_S", 0.01)
    after = page_of(client, place)["next"]
    while service.heavy.take(0):
        pass
    assert page_of(client, place, cursor=after)["items"]
    for path in ("/report", "/results", "/queries?run=stemless", "/rankings?run=plain"):
        busy = client.get(f"{place}{path}")
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "5"), path


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/queries?run=nobody", 404, "available: plain"),
        ("/queries", 422, "run"),
        ("/queries?run=plain&cursor=zz", 422, "cursor"),
        ("/queries?run=plain&limit=201", 422, "limit"),
        ("/report?format=exe", 422, "format"),
        ("/report?format=csv&table=..", 422, "table"),
        ("/charts/nothing", 422, "nothing"),
        ("/charts/..%2Fquality", 404, ""),
        ("/rankings?run=nobody", 404, "nobody"),
    ],
)
def test_what_is_not_there_is_said(client, place, path, status, told):
    answer = client.get(f"{place}{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "application/problem+json",
    )
    assert told in answer.text


def test_a_chart_is_an_image_without_script(client, place):
    answer = client.get(f"{place}/charts/quality")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.text.startswith("<svg")
    assert "<script" not in answer.text


def test_a_run_file_gives_the_same_scores(client, service, place, tmp_path):
    import assay

    text = client.get(f"{place}/rankings", params={"run": "plain"}).text
    (tmp_path / "plain.run").write_text(text)
    judged = "".join(f"{one} 0 {one}.txt 2\n" for one in PATHS)
    (tmp_path / "judged.qrels").write_text(judged)
    found = assay.evaluate(tmp_path / "judged.qrels", tmp_path / "plain.run", ["ndcg@10"])
    assert found.scores["ndcg@10"] == 1.0


def test_ids_with_spaces_are_written_as_json(client, service, wait_for_job):
    from assay.records import Dataset, Document, Judgment, Query, Reference

    found = Dataset(
        "spaced",
        (Query("q 1", "red apple", (Judgment(Reference(document_id="a b.txt"), 1),)),),
        documents=(Document("a b.txt", "A red apple."), Document("c.txt", "A blue plum.")),
    )
    stored = service.store.datasets.create(found, author="Ada")
    where = {"source": "dataset", "dataset": stored.id, "version": 1}
    corpus = service.store.corpora.create("pages", where, author="Ada")
    mapping = service.store.mappings.create(stored.id, corpus.id, author="Ada").id
    done = run_benchmark(client, wait_for_job, mapping)
    answer = client.get(f"/api/v1/benchmarks/{done}/rankings", params={"run": "plain"})
    assert answer.headers["content-type"] == "application/json"
    assert list(json.loads(answer.text)["q 1"]) == ["a b.txt"]


def test_a_benchmark_that_was_not_started_says_so(client, service):
    made = client.post("/api/v1/benchmarks", json=request_for(make_mapping(service))).json()
    for path in ("/report", "/results", "/queries?run=plain", "/charts/quality"):
        answer = client.get(f"/api/v1/benchmarks/{made['id']}{path}")
        assert answer.status_code == HTTPStatus.CONFLICT, path
        assert answer.json()["hint"] == "start it first"
