"""The process of the service is killed during requests and benchmarks, and started again."""

import http.client
import json
import random
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack

import pytest
from tests.server.kills.kill_work import ENDED, accepted
from tests.server.kills.processes import children, gone
from tests.server.kills.watcher import Watcher

pytestmark = [pytest.mark.service, pytest.mark.timeout(1_800)]
KINDS = ("upload", "create", "start", "run", "cancel", "resolve")
UPLOADED = 400  # queries of the dataset that is uploaded
BENCHMARKS = "/api/v1/benchmarks"


def test_a_killed_service_goes_on_where_it_was(work, kills):
    chance, hits = random.Random(22), Counter()
    with ExitStack() as stack:
        rounds = Rounds(work, chance, stack)
        watcher = stack.enter_context(Watcher(rounds.service.base, work.token))
        for number in range(kills.number):
            kind = KINDS[number % len(KINDS)]
            answered = getattr(rounds, kind)(number)
            hits[kind if answered else f"{kind} (no answer)"] += 1
        watcher.wait_for(rounds.ended)  # also what ended while it was not connected
        assert watcher.connections > 1
    kills.log(f"service, its process: killed during {dict(sorted(hits.items()))}; all whole")
    sys.stdout.write(f"\nservice killed during {dict(sorted(hits.items()))}\n")


class Rounds:
    """A kill for each kind of request: what was sent, and what must be so afterwards."""

    def __init__(self, work, chance, stack):
        self.work, self.chance, self.stack = work, chance, stack
        self.ended = {}  # the last state of each benchmark and job
        self.content = large_dataset()
        self.service = self.started()
        work.fill(self.service)
        work.undisturbed(self.service)
        self.seconds = {}  # how long each takes that is not disturbed
        began = time.monotonic()
        self.exported = self.export(self.upload_as("undisturbed", "undisturbed"))
        self.seconds["upload"] = time.monotonic() - began
        began = time.monotonic()
        id_ = work.create(self.service)
        self.seconds |= dict.fromkeys(("create", "start", "cancel"), time.monotonic() - began)
        work.start(self.service, id_)
        self.completes(id_)
        self.seconds |= dict.fromkeys(("run", "resolve"), time.monotonic() - began)

    def upload(self, number):
        """An upload is whole or absent; sent again, it is there once."""
        name, key = f"upload {number}", f"upload-{number}"
        answer = self.kill_during("upload", lambda: self.upload_as(name, key))
        stored = self.datasets(name)
        assert len(stored) == 1 if answer else len(stored) <= 1
        assert all(self.export(one) == self.exported for one in stored)
        again = self.upload_as(name, key)
        assert self.datasets(name) == [again]
        assert not stored or stored == [again]
        assert self.export(again) == self.exported
        return answer

    def create(self, number):
        """A benchmark that is created with a key, and with it again after the kill, is one."""
        name, headers = f"created {number}", {"Idempotency-Key": f"create-{number}"}
        body = self.work.body(name)

        def send():
            return accepted(self.service.ask("POST", BENCHMARKS, body, headers=headers))["id"]

        answer = self.kill_during("create", send)
        id_ = send()
        assert answer in (id_, None)
        listed = accepted(self.service.ask("GET", f"{BENCHMARKS}?limit=200"))["items"]
        assert [one["id"] for one in listed if one["name"] == name] == [id_]
        self.work.start(self.service, id_)
        self.completes(id_, named=name)
        return answer

    def start(self, number):
        """A start that is sent again after the kill is one start."""
        headers = {"Idempotency-Key": f"start-{number}"}
        id_ = self.work.create(self.service)

        def send():
            self.work.start(self.service, id_, **headers)
            return id_

        answer = self.kill_during("start", send)
        send()
        self.completes(id_)
        return answer

    def run(self, _number):
        """A benchmark that runs is completed by the next process, without a request."""
        id_ = self.work.create(self.service)
        self.work.start(self.service, id_)
        self.kill_during("run", lambda: None)
        self.completes(id_)
        return id_

    def cancel(self, _number):
        """What was cancelled stays so, and what was not goes on; resumed, it is completed."""
        id_ = self.work.create(self.service)
        self.work.start(self.service, id_)
        time.sleep(self.chance.random() * self.seconds["run"])

        def send():
            status, _, body = self.service.ask("POST", f"{BENCHMARKS}/{id_}/cancel")
            assert status == 202 or body["status"] == 409  # it had ended
            return status

        answer = self.kill_during("cancel", send)
        state = self.work.finish(self.service, id_)["state"]
        assert state == "cancelled" if answer == 202 else state in ("cancelled", "completed")
        if state == "cancelled":
            accepted(self.service.ask("POST", f"{BENCHMARKS}/{id_}/resume"))
        self.completes(id_)
        return answer

    def resolve(self, _number):
        """What a mapping holds is whole; its job is done by the next process, if it is noted."""
        place = f"/api/v1/mappings/{self.work.mapping}"
        before = accepted(self.service.ask("GET", place))
        answer = self.kill_during(
            "resolve", lambda: accepted(self.service.ask("POST", f"{place}/resolve"))["id"]
        )
        if answer:
            job = self.service.wait_for(f"/api/v1/jobs/{answer}", lambda one: one["state"] in ENDED)
            assert (job["state"], job["error"]) == ("completed", "")
            self.ended[answer] = "completed"
        after = accepted(self.service.ask("GET", place))
        for name in ("state", "total", "resolved", "ambiguous", "missing", "fingerprint"):
            assert after[name] == before[name]
        return answer

    def kill_during(self, kind, send):
        """Kill the service a random time after a request is sent, and start it again.

        Returns what was answered, if anything. The workers of the killed process end, too.
        """
        answers, process = [], self.service.process
        workers = children(process)

        def act():
            try:
                answers.append(send())
            except (OSError, http.client.HTTPException):  # it was killed
                answers.append(None)

        sender = threading.Thread(target=act, daemon=True)
        sender.start()
        time.sleep(self.chance.random() * self.seconds[kind])
        process.kill()
        process.wait(60.0)
        sender.join(60.0)
        assert gone(workers)
        self.service = self.started()
        (answer,) = answers
        return answer

    def started(self):
        """Start the service."""
        return self.stack.enter_context(self.work.service("--workers", 1))

    def completes(self, id_, *, named="benchmark"):
        """Wait until a benchmark has completed by itself, and compare it."""
        ended = self.work.finish(self.service, id_)
        assert (ended["state"], ended["error"]) == ("completed", "")
        self.work.compare(self.service, id_, named=named)
        self.ended[id_] = "completed"

    def upload_as(self, name, key):
        """Upload the dataset under a name, and return its id."""
        headers = {"Idempotency-Key": key}
        answer = self.service.upload(
            "/api/v1/datasets", self.content, fields={"name": name}, headers=headers
        )
        return accepted(answer)["id"]

    def datasets(self, name):
        """List the ids of the datasets of a name."""
        found = accepted(self.service.ask("GET", "/api/v1/datasets?limit=200"))["items"]
        return [one["id"] for one in found if one["name"] == name]

    def export(self, dataset):
        """Return the queries of a dataset with their judgments."""
        queries = accepted(self.service.ask("GET", f"/api/v1/datasets/{dataset}/export"))["queries"]
        assert len(queries) == UPLOADED
        return queries


def large_dataset():
    """Write a dataset that takes a while to be stored."""
    queries = [
        {
            "query_key": f"q{number}",
            "query_text": f"how does number {number} work",
            "relevant_docs": [
                {"doc_ref": {"path": f"folder/{number}-{at}.md"}, "relevance_grade": 1 + at % 3}
                for at in range(10)
            ],
        }
        for number in range(UPLOADED)
    ]
    return json.dumps({"queries": queries}).encode()
