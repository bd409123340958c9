"""Write a workspace of the newest step into `written_before`, from that of the first step.

Run ``python -m tests.workspace.write_stored`` once for a new step, and add what it can hold to
``fill``. A stored workspace is never written again: it is what that version of Assay wrote.
"""

import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from tests.workspace.store.made import AUTHOR, HANDBOOK
from tests.workspace.stored import PACKED, STORED, unpack

from assay.datasets.resolve.resolve import resolve
from assay.records import Document, Reference
from assay.records.service import NewEvent, NewJudgment
from assay.records.work import RecordedAnswer, Unit
from assay.workspace.ledger._schema import NEWEST
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.store.store import open_service_store

SETUP = Reference(file_name="setup.md")
DOCUMENTS = [Document("1", file_name="setup.md"), Document("2", file_name="setup.md")]


def fill(ledger):
    """Put something into every table of the ledger and of the service."""
    begin_work(ledger)
    with closing(open_service_store(ledger, clock=lambda: 1_700_000_000.0)) as service:
        one = service.datasets.create(HANDBOOK, **AUTHOR, note="first").id
        service.datasets.edit(one, remove=["q3"], revision=1, **AUTHOR)
        corpus = service.corpora.create("docs", {"path": "docs"}, **AUTHOR).id
        mapping = service.mappings.create(one, corpus, **AUTHOR).id
        found = resolve(service.mappings.read(mapping), DOCUMENTS)
        service.mappings.record(mapping, found, fingerprint="f", revision=None, **AUTHOR)
        service.mappings.choose(mapping, SETUP, "1", revision=None, **AUTHOR)
        with closing(open_ledger(ledger, clock=lambda: 1_700_000_000.0)) as book:
            told = {"name": "used", "about": {}, "runs": ["a"], "job": {}, "id_": "0123456789ab"}
            book.create(**told, mappings=[mapping], **AUTHOR)
        service.judgments.record(one, [NewJudgment("q1", "a\0", 2, note="hm")], **AUTHOR)
        service.events.record([NewEvent("click", user="u", payload={"position": 1})])
        service.tokens.create("laptop", "viewer", **AUTHOR)


def begin_work(place):
    """Begin a benchmark with stage outputs that two units share, and leave it to others."""
    with closing(open_ledger(place, clock=lambda: 1_700_000_000.0)) as ledger:
        about = {"identity": "i", "name": "begun", "about": {}, "runs": ["a"], "resume": False}
        job = {"version": 1, "settings": {"seed": 3}}
        id_ = ledger.begin(**about, job=job, fresh=True, machine="m").id
        ledger.attend(id_, "elsewhere-0/1/1", "m", {"cores": 2})
        some = [Unit("some", "stage", "s", (), 1, "t"), Unit("all", "stage", "s", (), 2, "t")]
        ledger.prepare(id_, [*some, Unit("time", "time", "s", ("all",), 1)], uses={"a": ["all"]})
        claim = ledger.claim(id_, "elsewhere-0/1/1")
        ledger.record(
            claim, [RecordedAnswer("q", 0, b"found")], beside={"time": [RecordedAnswer("q")]}
        )
        ledger.complete(claim, {"machine": "m"})


def write():
    """Bring the first stored workspace up to date, fill it, and pack its ledger."""
    assert NEWEST not in STORED, "a stored workspace is never written again"
    with tempfile.TemporaryDirectory() as folder:
        place = unpack(STORED[0], Path(folder)) / "ledger.sqlite"
        fill(place)
        with tarfile.open(PACKED / f"{NEWEST}.tar.gz", "w:gz") as packed:
            packed.add(place, ".assay/ledger.sqlite", filter=_of_nobody)


def _of_nobody(member):
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    write()
