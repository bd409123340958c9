"""An index behaves like a dict of documents, whatever is done to it in whatever order."""

import shutil
import tempfile
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from assay.records import Chunk, Document
from assay.workspace.index.index_store import open_store

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
ANY = st.text(st.characters() | st.characters(categories=["Cs"]), max_size=6)
TEXTS = st.lists(ANY, max_size=3)


class Stop(Exception):  # noqa: N818 - not an error
    """Ends an update before its end."""


class Index(RuleBasedStateMachine):
    ids = Bundle("ids")

    @initialize()
    def begin(self):
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY))
        self.store = open_store(self.folder / "index", settings="a")
        self.model, self.next_row = {}, 0  # id: (stamp, {row: (text, vector)})
        self.done([])

    def teardown(self):
        shutil.rmtree(self.folder)

    @rule(target=ids, name=ANY)
    def name(self, name):
        return name

    @rule(changes=st.lists(st.tuples(ids, st.sampled_from(["put", "remove", "restamp"]), TEXTS)))
    def done(self, changes):
        with self.store.update() as update:
            self.model, self.next_row = self.change(update, changes)

    @rule(changes=st.lists(st.tuples(ids, st.sampled_from(["put", "remove"]), TEXTS), min_size=1))
    def undone(self, changes):
        with suppress(Stop), self.store.update() as update:
            self.change(update, changes)
            raise Stop

    def change(self, update, changes):
        model, next_row = dict(self.model), self.next_row
        for name, what, texts in changes:
            stamp = f"{what} {len(texts)}"
            if what == "restamp":
                update.restamp({name: stamp})
                model |= {name: (stamp, model[name][1])} if name in model else {}
                continue
            assert update.remove([name]) == list(model.pop(name, ("", {}))[1])
            if what == "put":
                rows = self.put(update, name, stamp, texts)
                assert rows == list(range(next_row, next_row + len(texts)))
                next_row += len(texts)
                kept = zip(rows, texts, strict=True)
                model[name] = (stamp, {row: (text, row % 256) for row, text in kept})
        assert update.known() == {name: stamp for name, (stamp, _) in model.items()}
        (update.lexical / "model").write_text(str(sorted(model)), "utf-8", "surrogatepass")
        return model, next_row

    def put(self, update, name, stamp, texts):
        made = [
            Chunk(document=name, start=n, end=n, lines=(1, 1), text=text, title=text)
            for n, text in enumerate(texts)
        ]
        rows = update.put(Document(id=name, path=name, title=stamp, stamp=stamp), made)
        update.vectors(rows, np.array([[row % 256] for row in rows], dtype=np.uint8))
        return rows

    @invariant()
    def same(self):
        expected = {row: kept for _, rows in self.model.values() for row, kept in rows.items()}
        with closing(self.store.snapshot()) as snapshot:
            assert sorted(snapshot.documents) == sorted(self.model)
            assert snapshot.rows.tolist() == sorted(expected)
            chunks = snapshot.chunks(snapshot.rows)
            rows, vectors = snapshot.vectors()
            assert rows.tolist() == sorted(expected)
            found = zip([chunk.text for chunk in chunks], vectors.ravel().tolist(), strict=True)
            assert dict(zip(rows.tolist(), found, strict=True)) == expected
            owners = [snapshot.documents[code] for code in snapshot.document_of]
            assert owners == [chunk.document for chunk in chunks]
            assert all(
                list(kept) == snapshot.rows_of(name) for name, (_, kept) in self.model.items()
            )
            seen = (snapshot.lexical / "model").read_text("utf-8", "surrogatepass")
            assert seen == str(sorted(self.model))


Index.TestCase.settings = settings(max_examples=25, stateful_step_count=10, deadline=None)
TestIndex = Index.TestCase
