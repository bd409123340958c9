"""What the Semantik document describes, line by line, asked of a real process of the service.

Each name of the document is found in the service, or listed as different with the reason.
"""

import hashlib
import importlib
import json
import re
from pathlib import Path

import pytest
from tests.server.kills.watcher import Watcher
from tests.server.process import running_service

pytestmark = pytest.mark.timeout(300)
service_test = pytest.mark.service

TOPICS = ["backup", "restore", "token", "cache", "index", "cluster", "query", "schema"]
MATRIX = {
    "primary_k": 10,
    "k_values_for_metrics": [5, 10, 20],
    "top_k_values": [100, 200],
    "search_modes": ["dense", "hybrid"],
    "use_reranker": [False, True],
    "rrf_k_values": [60],
    "score_thresholds": [None, 0.5],
}
SMALL = {**MATRIX, "top_k_values": [100], "search_modes": ["sparse"], "use_reranker": [False]}
SMALL["score_thresholds"] = [None]


def query(key, text, *documents):
    """Write a query as the document does; ``documents`` are references with their grades."""
    relevant = [{"doc_ref": one, "relevance_grade": grade} for one, grade in documents]
    return {"query_key": key, "query_text": text, "relevant_docs": relevant}


def dataset(queries, name="Dataset Name"):
    about = {"name": name, "description": "..."}
    whole = {"schema_version": "1.0", "metadata": about, "queries": queries}
    return json.dumps(whole).encode()


@pytest.fixture(scope="module")
def corpus_folder(tmp_path_factory):
    """Files, of which two have the same bytes and two the same name."""
    folder = tmp_path_factory.mktemp("corpus")
    for number, topic in enumerate(TOPICS):
        for part in ("guide", "reference"):
            place = folder / part / f"{topic}-{part}.md"
            place.parent.mkdir(exist_ok=True)
            lines = [f"# {topic} {part}", f"How the {topic} works, step {number} of the {part}."]
            lines += [f"The {topic} is described in paragraph {at} at length." for at in range(60)]
            place.write_text("\n\n".join(lines))
    for part in ("guide", "reference"):
        (folder / part / "readme.md").write_text(f"About the {part}, in its own words.")
        (folder / part / f"copy-{part}.md").write_text("The same text in two places.")
    return folder


@pytest.fixture(scope="module")
def service(tmp_path_factory, corpus_folder):
    place = tmp_path_factory.mktemp("semantik") / "workspace"
    with running_service(place, "--workers", "1", "--allow", f"corpus={corpus_folder}") as running:
        yield running


def created(answer):
    status, _, body = answer
    assert status in (200, 201, 202), body
    return body


@pytest.fixture(scope="module")
def corpus(service, corpus_folder):
    where = {"path": str(corpus_folder)}
    return created(service.ask("POST", "/api/v1/corpora", {"name": "manual", "where": where}))["id"]


@pytest.fixture(scope="module")
def mapped(service, corpus):
    """Upload a dataset, map it onto the corpus, and wait until it is resolved."""

    def made(content, name="data.json"):
        stored = created(service.upload("/api/v1/datasets", content, name=name))
        body = {"dataset": stored["id"], "corpus": corpus}
        mapping = created(service.ask("POST", "/api/v1/mappings", body))
        assert mapping["state"] == "pending"
        place = f"/api/v1/mappings/{mapping['id']}"
        return service.wait_for(place, lambda found: found["state"] != "pending")

    return made


def ended(service, benchmark):
    return service.wait_for(
        f"/api/v1/benchmarks/{benchmark}",
        lambda found: found["state"] in ("completed", "failed", "cancelled"),
        seconds=240,
    )


def run_to_the_end(service, body):
    made = created(service.ask("POST", "/api/v1/benchmarks", body))
    created(service.ask("POST", f"/api/v1/benchmarks/{made['id']}/start"))
    return ended(service, made["id"])


def listed(service, path):
    """Return all items of a list, page by page."""
    items, cursor = [], ""
    mark = "&" if "?" in path else "?"
    for _ in range(100):
        page = created(service.ask("GET", f"{path}{mark}limit=50&cursor={cursor}"))
        items += page["items"]
        cursor = page["next"]
        if not cursor:
            return items
    raise AssertionError(path)


# Dataset JSON Schema

GRADES = {"q1": 3, "q2": 2, "q3": 1, "q4": 0}


@service_test
def test_the_schema_of_datasets_is_read_and_written_as_it_is(service):
    queries = [
        query(
            "q1", "search query", ({"uri": "file:///doc.pdf"}, 3), ({"document_id": "doc-123"}, 2)
        ),
        query("q2", "another", ({"path": "a.md"}, 1), ({"file_name": "b.md"}, 0)),
    ]
    stored = created(service.upload("/api/v1/datasets", dataset(queries, "The schema")))
    assert (stored["name"], stored["description"]) == ("The schema", "...")
    found = listed(service, f"/api/v1/datasets/{stored['id']}/queries")
    assert [one["query_key"] for one in found] == ["q1", "q2"]
    assert [one["query_text"] for one in found] == ["search query", "another"]
    for given, kept in zip(queries, found, strict=True):
        asked = [(one["doc_ref"], one["relevance_grade"]) for one in given["relevant_docs"]]
        assert [(one["doc_ref"], one["relevance_grade"]) for one in kept["relevant_docs"]] == asked
    status, _, exported = service.ask("GET", f"/api/v1/datasets/{stored['id']}/export")
    assert status == 200
    exported = exported if isinstance(exported, dict) else json.loads(exported)
    assert exported["schema_version"]
    assert [one["query_key"] for one in exported["queries"]] == ["q1", "q2"]


@service_test
@pytest.mark.parametrize(
    ("content", "status", "told"),
    [
        (
            dataset([query(f"q{at}", "text", ({"path": "a.md"}, 1)) for at in range(1001)]),
            422,
            "1,000",
        ),
        (
            dataset([query("q", "text", *(({"path": f"{at}.md"}, 1) for at in range(101)))]),
            *(422, "100"),
        ),
        (dataset([query("q", "x" * 10_600_000, ({"path": "a.md"}, 1))]), 413, ""),
        (dataset([query("q", "text", ({"path": "a.md"}, "high"))]), 422, "relevance_grade"),
        (b"{}", 422, ""),
    ],
    ids=["queries", "judgments", "bytes", "grade", "empty"],
)
def test_limits_of_uploads(service, content, status, told):
    found, headers, answer = service.upload("/api/v1/datasets", content)
    assert found == status, answer
    assert headers["Content-Type"].startswith("application/problem+json")
    assert told in json.dumps(answer)


# Reference resolution: priority, ambiguity, status


@service_test
def test_priority_and_states_of_references(service, mapped, corpus_folder):
    same = hashlib.sha256((corpus_folder / "guide" / "copy-guide.md").read_bytes()).hexdigest()
    guide = corpus_folder / "guide" / "backup-guide.md"
    whole = hashlib.sha256(guide.read_bytes()).hexdigest()
    found = mapped(
        dataset(
            [
                query(
                    *("found", "how does the backup work"),
                    ({"document_id": "guide/restore-guide.md", "uri": guide.as_uri()}, 3),
                    ({"document_id": "nowhere", "uri": guide.as_uri()}, 2),
                    ({"uri": "file:///nowhere", "content_hash": whole}, 2),
                    ({"path": "guide/token-guide.md"}, 1),
                    ({"file_name": "cache-guide.md"}, 1),
                ),
                query("same bytes", "copies", ({"content_hash": same}, 1)),
                query("same name", "readme", ({"file_name": "readme.md"}, 1)),
                query("missing", "nothing", ({"file_name": "nowhere.md"}, 1)),
            ],
            "Priorities",
        )
    )
    assert found["state"] == "partial"
    assert (found["total"], found["ambiguous"], found["missing"]) == (8, 2, 1)
    assert found["resolved"] == 5
    left = listed(service, f"/api/v1/mappings/{found['id']}/unresolved")
    assert {one["query_key"]: one["reason"] for one in left} == {
        "same bytes": "ambiguous",
        "same name": "ambiguous",
        "missing": "not_found",
    }
    names = {one["query_key"]: set(one["candidates"]) for one in left}
    assert names["same name"] == {"guide/readme.md", "reference/readme.md"}
    assert names["same bytes"] == {"guide/copy-guide.md", "reference/copy-reference.md"}
    body = {"mappings": [found["id"]], "configurations": [{"name": "lexical", "search": "lexical"}]}
    done = run_to_the_end(service, body)  # ambiguous mappings still run
    assert done["state"] == "completed", done
    rows = listed(service, f"/api/v1/benchmarks/{done['id']}/queries?run=lexical")
    grades = {
        document["document"]: document["grade"]
        for row in rows
        if row["query"] == "found"
        for document in row["results"]
        if document["grade"] is not None
    }
    # document_id wins over uri; an unknown key passes on to the next one.
    assert grades.get("guide/restore-guide.md", 3) == 3
    assert grades["guide/backup-guide.md"] == 2
    assert {row["query"]: row["scores"]["recall@10"] for row in rows}["missing"] == 0


@service_test
@pytest.mark.parametrize(
    ("reference", "state"),
    [({"path": "guide/index-guide.md"}, "resolved"), ({"path": "no.md"}, "unresolved")],
)
def test_states_of_a_mapping(mapped, reference, state):
    found = mapped(dataset([query("q", "index", (reference, 1))], f"All {state}"))
    assert found["state"] == state


# Execution flow


@pytest.fixture(scope="module")
def sixteen(service, mapped):
    """The matrix of the document over 8 queries, to its end."""
    queries = [
        query(
            *(f"q{at}", f"how does the {topic} work"),
            ({"path": f"guide/{topic}-guide.md"}, 3),
            ({"path": f"reference/{topic}-reference.md"}, 1),
        )
        for at, topic in enumerate(TOPICS)
    ]
    mapping = mapped(dataset(queries, "Topics"))
    assert mapping["state"] == "resolved"
    body = {"name": "sixteen", "mapping_id": mapping["id"], "config_matrix": MATRIX}
    made = created(service.ask("POST", "/api/v1/benchmarks", body))
    return mapping, made


@service_test
def test_create_start_execute_aggregate_and_progress(service, sixteen):
    mapping, made = sixteen
    with Watcher(service.base, service.token) as watcher:
        check_execution(service, mapping, made)
        # 6. Progress: the last state reaches the WebSocket.
        watcher.wait_for({made["id"]: "completed"})
        assert watcher.connections == 1


def check_execution(service, mapping, made):
    """Check the steps of the document up to the scores of each run."""
    # 1. Create: validates, and creates all runs before any of them begins.
    assert made["state"] == "pending"
    assert len(made["runs"]) == 16
    assert set(made["runs"].values()) == {"pending"}
    # 2. Start: one transition from pending to running.
    place = f"/api/v1/benchmarks/{made['id']}"
    started = created(service.ask("POST", f"{place}/start"))
    assert started["state"] == "running"
    status, _, refused = service.ask("POST", f"{place}/start")
    assert status == 409, refused
    status, _, refused = service.ask("DELETE", f"/api/v1/mappings/{mapping['id']}")
    assert status == 409, refused
    # 3. to 5. Execute and aggregate.
    done = ended(service, made["id"])
    assert done["state"] == "completed", done
    assert set(done["runs"].values()) == {"completed"}
    results = created(service.ask("GET", f"{place}/results"))
    assert len(results["runs"]) == 16
    at = {f"{name}@{k}" for name in ("precision", "recall", "ndcg") for k in (5, 10, 20)}
    for run in results["runs"]:
        assert at | {"mrr", "ap"} <= set(run["scores"])
        assert all(0 <= value <= 1 for value in run["scores"].values())
        assert run["status"] == "completed"
    # Mean across queries per run.
    run = results["runs"][0]
    rows = listed(service, f"{place}/queries?run={run['name'].replace(' ', '%20')}")
    assert len(rows) == 8
    for metric in ("ndcg@10", "recall@5", "ap"):
        mean = sum(row["scores"][metric] for row in rows) / len(rows)
        assert run["scores"][metric] == pytest.approx(mean, abs=1e-12)
    # Chunks are collapsed to documents: one result per document.
    for row in rows:
        documents = [one["document"] for one in row["results"]]
        assert documents
        assert len(documents) == len(set(documents))
    # Retry: what is completed is skipped.
    retried = created(service.ask("POST", f"{place}/retry"))
    assert retried["retried"] == 0
    assert retried["benchmark"]["state"] == "completed"


# Graded and binary relevance


@service_test
def test_only_ndcg_tells_grades_apart(service, mapped):
    """A document of grade 1 counts as one of grade 3 for all other metrics; 0 is not relevant."""
    found = {}
    for name, grades in {"low": (1, 3), "high": (3, 1)}.items():
        first = ({"path": "guide/backup-guide.md"}, grades[0])
        second = ({"path": "guide/restore-guide.md"}, grades[1])
        other = ({"path": "guide/token-guide.md"}, 0)
        content = dataset([query("q", "how does the backup work", first, second, other)], name)
        body = {"mapping_id": mapped(content)["id"], "name": name, "config_matrix": SMALL}
        done = run_to_the_end(service, body)
        assert done["state"] == "completed", done
        results = created(service.ask("GET", f"/api/v1/benchmarks/{done['id']}/results"))
        found[name] = results["runs"][0]["scores"]
    for metric in ("precision@5", "recall@5", "recall@20", "mrr", "ap"):
        assert found["low"][metric] == found["high"][metric]
    assert found["low"]["ndcg@5"] < found["high"]["ndcg@5"]
    assert found["high"]["precision@5"] <= 2 / 5


# Common gotchas


@service_test
def test_top_k_below_k_is_refused(service, sixteen):
    mapping, _ = sixteen
    matrix = {"k_values_for_metrics": [5, 10, 20], "top_k_values": [10]}
    body = {"mapping_id": mapping["id"], "config_matrix": matrix}
    status, _, answer = service.ask("POST", "/api/v1/benchmarks", body)
    assert status == 422, answer
    assert "top_k_values" in json.dumps(answer)
    body["config_matrix"] = {**matrix, "top_k_values": [100]}
    assert service.ask("POST", "/api/v1/plans", body)[0] == 200


@service_test
def test_a_query_without_relevant_documents_scores_0(service, mapped):
    queries = [
        query("empty", "how does the cache work"),
        query("full", "how does the cache work", ({"path": "guide/cache-guide.md"}, 2)),
    ]
    mapping = mapped(dataset(queries, "Empty truth"))
    body = {"mapping_id": mapping["id"], "config_matrix": SMALL}
    done = run_to_the_end(service, body)
    assert done["state"] == "completed", done
    place = f"/api/v1/benchmarks/{done['id']}"
    name = next(iter(done["runs"]))
    rows = {row["query"]: row["scores"] for row in listed(service, f"{place}/queries?run={name}")}
    assert all(value == 0 for value in rows["empty"].values())
    assert rows["full"]["recall@20"] == 1
    (run,) = created(service.ask("GET", f"{place}/results"))["runs"]
    assert run["scores"]["recall@20"] == pytest.approx(0.5)


# Names: (name of the document, what it is here, why it differs: empty where it does not)

API = "the path of the OpenAPI document"
NAMES = {
    # of the dataset
    **dict.fromkeys(
        *(
            [
                *("query_key", "query_text", "relevant_docs", "doc_ref", "relevance_grade"),
                *("uri", "document_id", "content_hash", "path", "file_name"),
            ],
            ("field", ""),
        )
    ),
    "schema_version": ("export", ""),
    "metadata": ("upload", "name and description of a dataset are fields of their own"),
    "queries": ("/api/v1/datasets/{dataset}/queries", ""),
    # of the matrix
    "config_matrix": ("field", ""),
    **dict.fromkeys(MATRIX, ("matrix", "")),
    # metrics
    **dict.fromkeys(("precision@k", "recall@k", "ndcg@k", "mrr", "ap"), ("metric", "")),
    # states
    **dict.fromkeys(("PENDING", "RUNNING", "COMPLETED", "FAILED"), ("state", "in lower case")),
    "PARTIAL": ("mapping state", "in lower case"),
    # functions and types, which a service has behind its API
    "compute_all_metrics": ("assay.evaluate", "all metrics of a run at once, for any run file"),
    "RetrievedDocument": ("FoundDocument", "a document of a ranking, in an answer"),
    "QueryResult": ("QueryResult", ""),
    "ConfigurationEvaluator": ("assay.run", "runs and evaluates all configurations"),
    "metrics.py": ("assay.metrics", "a file per metric"),
    "types.py": ("assay.records", "a file per record"),
    "evaluator.py": ("assay.benchmarks.spine", "the benchmark on one page"),
    "utils.py": ("assay.benchmarks.file.semantik", "reads and checks the matrix"),
    "benchmark_service.py": ("assay.server.routes.benchmarks", ""),
    "benchmark_executor.py": ("assay.benchmarks.conduct", "a worker process, not a Celery task"),
    "dataset_service.py": ("assay.server.routes.datasets", ""),
    "mapping_service.py": ("assay.server.routes.mappings", ""),
    # what it runs on
    "Celery": ("assay.workflows.jobs.dispatch.Dispatch", "workers claim work in the database"),
    "Redis": ("assay.server.progress.channel.Channel", "the database tells what has changed"),
    "WebSocket": ("assay.server.routes.progress", ""),
}


@pytest.fixture(scope="module")
def openapi(tmp_path_factory):
    from assay.server.app import make_app
    from assay.server.serve import open_service
    from assay.server.settings import ServeSettings
    from assay.workspace.locate import Workspace

    place = Workspace(tmp_path_factory.mktemp("names"))
    with open_service(ServeSettings(place, workers=0)) as opened:
        yield make_app(opened).openapi()


@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_found_here(openapi, name):
    ours, _ = NAMES[name]
    schemas = openapi["components"]["schemas"]
    if ours == "field":
        assert any(name in one.get("properties", {}) for one in schemas.values())
    elif ours == "matrix":
        from assay.benchmarks.file.semantik import KEYS

        assert name in KEYS
    elif ours == "metric":
        from assay.metrics import parse

        assert parse(name.replace("@k", "@10"))
    elif ours in ("state", "mapping state"):
        states = "BenchmarkItem" if ours == "state" else "MappingItem"
        assert name.lower() in json.dumps(schemas[states]["properties"]["state"])
    elif ours.startswith("/"):
        assert ours in openapi["paths"]
    elif ours.startswith("assay."):
        package, _, last = ours.rpartition(".")
        found = importlib.import_module(package)
        assert hasattr(found, last) or importlib.import_module(ours)
    elif ours not in ("export", "upload"):
        assert ours in schemas


DOCUMENT = next(Path(__file__).parents[3].glob("shared/ancestors/001_*.txt"), None)


@pytest.mark.skipif(DOCUMENT is None, reason="the document is not on this machine")
def test_no_name_of_the_document_is_left_out():
    text = DOCUMENT.read_text(encoding="utf-8")
    shouted = set(re.findall(r"\b[A-Z]{6,}\b", text)) - {"BEFORE", "FAILS", "CORRECT"}
    quoted = {one for one in re.findall(r"`([a-z_@]+)`", text) if one != "metrics"}
    keys = set(re.findall(r'"([a-z_]+)":', text)) - {"name", "description"}
    files = set(re.findall(r"(\w+\.py) +#", text))
    code = set(re.findall(r"\b([a-z]+_[a-z_]+)\(\)|\b([A-Z][a-z]+[A-Z]\w+)\b", text))
    code = {one or other for one, other in code} | set(re.findall("Celery|Redis", text))
    named = shouted | quoted | keys | files | code
    unknown = {one for one in named if one not in NAMES and one.lower() not in NAMES}
    assert unknown <= {"q1", "doc_id"}, unknown
