"""Real data in a service, and for each of its operations a request that succeeds on it."""

import json

__all__ = ["FORM", "add_pending_job", "make_seeds"]

TOPICS = ("backup", "cache", "index", "token")
LEXICAL = [{"name": "plain", "search": "lexical"}]
PAIR = [*LEXICAL, {"name": "stemless", "search": "lexical", "language": "none"}]
JSON, FORM = "application/json", "multipart/form-data"


def dataset(name):
    """Write a dataset whose documents are in the file; one reference is ambiguous, one unknown."""
    queries = [
        {
            "query_key": topic,
            "query_text": f"how does the {topic} work",
            "relevant_docs": [{"doc_ref": {"path": f"{topic}.md"}, "relevance_grade": 2}],
        }
        for topic in TOPICS
    ]
    queries[0]["relevant_docs"].append({"doc_ref": {"file_name": "nowhere.md"}})
    documents = [
        {"id": f"{topic}.md", "text": f"The {topic} works; this is about the {topic}."}
        for topic in TOPICS
    ]
    return json.dumps({"metadata": {"name": name}, "queries": queries, "documents": documents})


class Seeds:
    """Creates what requests need; each destructive one gets something of its own."""

    def __init__(self, service, folder):
        self.service, self.folder, self.number = service, folder, 0

    def post(self, path, body=None):
        status, _, answer = self.service.ask("POST", f"/api/v1{path}", body)
        assert status in (200, 201, 202), (path, answer)
        return answer

    def delete(self, path):
        status, _, answer = self.service.ask("DELETE", f"/api/v1{path}")
        assert status == 200, answer

    def name(self):
        self.number += 1
        return f"seed {self.number}"

    def dataset(self):
        answer = self.service.upload("/api/v1/datasets", dataset(self.name()).encode())
        assert answer[0] == 201, answer
        return answer[2]["id"]

    def corpus(self):
        where = {"path": str(self.folder)}
        return self.post("/corpora", {"name": self.name(), "where": where})["id"]

    def mapping(self, *, corpus=None):
        made = self.dataset()
        return self.post("/mappings", {"dataset": made, "corpus": corpus or made})["id"]

    def resolved(self):
        mapping = self.mapping()
        place = f"/api/v1/mappings/{mapping}"
        return self.service.wait_for(place, lambda found: found["state"] != "pending")

    def asked(self, mapping, configurations=LEXICAL):
        told = {"name": self.name(), "mappings": [mapping], "configurations": configurations}
        return {**told, "settings": {"untimed": True}}

    def benchmark(self, mapping, *, act="", configurations=LEXICAL):
        made = self.post("/benchmarks", self.asked(mapping, configurations))["id"]
        for one in filter(None, act.split()):
            self.post(f"/benchmarks/{made}/{one}")
        return made

    def done(self, mapping):
        made = self.benchmark(mapping, act="start", configurations=PAIR)
        place = f"/api/v1/benchmarks/{made}"
        found = self.service.wait_for(place, lambda one: one["reported"], seconds=240)
        assert found["state"] == "completed", found
        return made

    def token(self):
        return self.post("/tokens", {"name": self.name(), "role": "viewer"})["entry"]["id"]

    def job(self, corpus):
        body = {"configuration": {"search": "lexical"}}
        return self.post(f"/corpora/{corpus}/index", body)["id"]


def make_seeds(service, folder):
    """Fill a service; return for each operation its path parameters, query, body and type.

    ``folder`` is one that the service allows for corpora.
    """
    for topic in TOPICS:
        (folder / f"{topic}.md").write_text(f"# {topic}\n\nHow the {topic} works, step by step.")
    seeds = Seeds(service, folder)
    found = {}

    def add(operation, *, query=None, body=None, media=JSON, **path):
        about = {"path": path, "query": query or {}}
        found[operation] = about if body is None else {**about, "body": body, "media": media}

    mapping = seeds.resolved()
    done = seeds.done(mapping["id"])
    _add_datasets(seeds, add)
    _add_mappings(seeds, add)
    _add_benchmarks(seeds, add, mapping["id"], done)
    _add_others(seeds, add, mapping["id"], done)
    return found


def add_pending_job(service, seeds):
    """Add what only a service without workers has: a job that nobody begins with."""
    corpus = seeds["index_corpus"]["path"]["corpus"]
    job = Seeds(service, None).job(corpus)
    return {**seeds, "cancel_job": {"path": {"job": job}, "query": {}}}


def _add_datasets(seeds, add):
    one = seeds.dataset()
    add("create_dataset", body={"file": dataset("another"), "name": "another"}, media=FORM)
    add("validate_dataset", body={"file": dataset("checked")}, media=FORM)
    add("replace_dataset", body={"file": dataset("next")}, media=FORM, dataset=one)
    gone = seeds.dataset()
    seeds.delete(f"/datasets/{gone}")
    add("undelete_dataset", dataset=gone)
    add("delete_dataset", dataset=seeds.dataset())
    for name in ("get_dataset", "export_dataset", "list_losses", "audit_dataset", "list_queries"):
        add(name, dataset=one)
    for name in ("list_versions", "list_judgments"):
        add(name, dataset=one)
    add("get_query_history", query={"query_key": "cache"}, dataset=one)
    add("get_version", dataset=one, number=1)
    other = seeds.dataset()
    changed = {"query_key": "cache", "query_text": "what is the cache"}
    add("edit_queries", body={"put": [changed], "note": "shorter"}, dataset=other)
    grade = {"query_key": "index", "doc_ref": "index.md", "relevance_grade": 1}
    add("edit_grade", body=grade, dataset=other)
    add("restore_version", dataset=other, number=1)
    add("change_dataset", body={"name": "renamed", "description": "Topics."}, dataset=other)
    judgment = {"query_key": "index", "document": "index.md", "grade": 2}
    add("record_judgments", body={"judgments": [judgment]}, dataset=one)
    where = {"path": str(seeds.folder)}
    add("create_corpus", body={"name": "another", "where": where})
    corpus, gone = seeds.corpus(), seeds.corpus()
    seeds.delete(f"/corpora/{gone}")
    add("get_corpus", corpus=corpus)
    add("change_corpus", body={"name": "renamed"}, corpus=seeds.corpus())
    add("delete_corpus", corpus=seeds.corpus())
    add("undelete_corpus", corpus=gone)
    add("index_corpus", body={"configuration": {"search": "lexical"}}, corpus=corpus)


def _add_mappings(seeds, add):
    add("create_mapping", body={"dataset": seeds.dataset(), "corpus": seeds.corpus()})
    mapping = seeds.resolved()["id"]
    for name in ("get_mapping", "resolve_mapping", "list_unresolved", "list_choices"):
        add(name, mapping=mapping)
    add("read_documents", body={"documents": ["cache.md", "none.md"]}, mapping=mapping)
    reference = {"file_name": "nowhere.md"}
    add("choose_document", body={"reference": reference, "document": "cache.md"}, mapping=mapping)
    chosen, gone = seeds.resolved()["id"], seeds.mapping()
    seeds.post(f"/mappings/{chosen}/choices", {"reference": reference, "document": "index.md"})
    add("undo_choice", body={"reference": reference}, mapping=chosen)
    seeds.delete(f"/mappings/{gone}")
    add("undelete_mapping", mapping=gone)
    add("delete_mapping", mapping=seeds.mapping())


def _add_benchmarks(seeds, add, mapping, done):
    add("create_benchmark", body=seeds.asked(mapping))
    add("plan_benchmark", body=seeds.asked(mapping))
    add("start_benchmark", benchmark=seeds.benchmark(mapping))
    add("cancel_benchmark", benchmark=seeds.benchmark(mapping))
    add("resume_benchmark", benchmark=seeds.benchmark(mapping, act="cancel"))
    add("retry_benchmark", benchmark=done)
    gone = seeds.benchmark(mapping)
    seeds.delete(f"/benchmarks/{gone}")
    add("undelete_benchmark", benchmark=gone)
    add("delete_benchmark", benchmark=seeds.benchmark(mapping))
    for name in ("get_benchmark", "list_runs", "get_report", "get_results"):
        add(name, benchmark=done)
    for name in ("list_query_results", "get_rankings"):
        add(name, query={"run": "plain"}, benchmark=done)
    add("get_chart", benchmark=done, chart="quality")


def _add_others(seeds, add, mapping, done):
    sides = {"baseline": {"benchmark": done, "run": "plain"}}
    other = {"benchmark": done, "run": "stemless"}
    add("compare_stored", body={**sides, "candidates": [other], "flips": 200})
    add("check_gate", body={**sides, "current": other})
    query = {"query": "how does the cache work", "configuration": {"search": "lexical"}}
    add("search_corpus", body={**query, "mapping": mapping})
    add("get_job", job=seeds.job(seeds.corpus()))
    add("create_token", body={"name": "another", "role": "viewer", "days": 1})
    token = seeds.token()
    add("get_token", token=token)
    add("revoke_token", token=seeds.token())
    add("list_kind", kind="metrics")
    for name in ("list_datasets", "list_corpora", "list_mappings", "list_benchmarks", "list_jobs"):
        add(name)
    for name in ("list_tokens", "list_audit", "get_progress", "get_start", "get_metrics"):
        add(name)
    add("health")
    add("live")
