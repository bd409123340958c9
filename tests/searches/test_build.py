"""Building an index: twice the same to the bit, and after any changes what a fresh build holds."""

import errno
import json
import os
import random
import subprocess
import sys
import sysconfig
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from assay.corpora.open_corpus import open_corpus
from assay.corpora.sources.inline import inline
from assay.engines.vectors.packing import pack
from assay.errors import InputError
from assay.records import Configuration, Document, Query
from assay.searches.build import build
from assay.searches.configuration.configuration import effective
from assay.searches.indexing import bring_up_to_date
from assay.searches.open_models import OpenModels
from assay.searches.parts import embedder_of, lexical_at, text_of
from assay.workspace.index.index_store import open_store
from assay.workspace.locate import model_folder
from assay.workspace.vector_cache import cached

LEXICAL = Configuration(
    search="lexical", dense=None, model=None, precision=None, fusion=None, depth=200
)
STATIC = Configuration(model="static")
LIBRARY = Path(sysconfig.get_path("stdlib"))
MODULES = [
    *("abc", "bisect", "calendar", "cmd", "colorsys", "copy"),
    *("csv", "fnmatch", "glob", "heapq", "keyword", "linecache"),
]
QUERIES = [
    *("read a file", "HTMLParser", "sort a list", "wait_for", "open the next line", "grüße", ""),
    *("insert into a sorted list", "what matches a pattern", "def copy(x)", "month", "dialect"),
    *("hue saturation", "abstract method", "prompt of a shell", "merge iterables", "weekday"),
    *("deepcopy memo", "checkcache", "translate a pattern", "iglob recursive", "nlargest"),
    *("quotechar", "yiq to rgb", "register a virtual subclass", "complete a command", "softkw"),
    *("a" * 2000, "return self", "raise ValueError if not found"),
]


def models():
    return OpenModels(model_folder())


# A process of its own builds from its own copy of the files, and prints every bit of the answers.
BUILDING = """
import json, os, sys
from pathlib import Path
from assay.searches.build import build
from assay.corpora.open_corpus import open_corpus
from assay.records import Configuration, Query
from assay.searches.open_models import OpenModels
from assay.workspace.locate import model_folder

_, corpus, work, cores, asked = sys.argv
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(cores)])
asked = json.loads(asked)
for name, settings in asked["configurations"].items():
    built = build(open_corpus(corpus), Configuration(**settings),
                  folder=Path(work, name), models=OpenModels(model_folder()))
    found = [built.found(Query(query, query))[:2] for query in asked["queries"]]
    answers = [[names, [score.hex() for score in scores.tolist()]] for names, scores in found]
    print(json.dumps([name, built.fingerprint, answers]), flush=True)
    built.close()
"""
CONFIGURATIONS = {
    "tantivy": {
        **{"search": "lexical", "dense": None, "model": None, "precision": None, "fusion": None},
    },
    **{
        kind: {
            **{"search": "lexical", "dense": None, "model": None, "precision": None},
            **{"fusion": None, "lexical": kind},
        }
        for kind in ("fts5", "postings")
    },
    **{
        kind: {
            **{"search": "dense", "lexical": None, "lexical_unit": None, "fusion": None},
            **{"dense": kind, "model": "static"},
        }
        for kind in ("exact", "hnsw", "ivf")
    },
    "hybrid": {"model": "static"},
    "hybrid hnsw rrf": {"model": "static", "dense": "hnsw", "fusion": "rrf"},
}


def copy_modules(folder, modules=MODULES, *, lines=None):
    """Copy modules of the standard library, whole or only their first lines."""
    folder.mkdir(parents=True)
    for name in modules:
        text = (LIBRARY / f"{name}.py").read_text("utf-8").splitlines(keepends=True)
        (folder / f"{name}.py").write_text("".join(text[:lines]), "utf-8")
    return folder


def built_in_a_process(corpus, work, *, hash_seed, cores, configurations, queries):
    asked = json.dumps({"configurations": configurations, "queries": queries})
    done = subprocess.run(
        [sys.executable, "-c", BUILDING, str(corpus), str(work), str(cores), asked],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "OMP_NUM_THREADS": str(cores)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def _twice(tmp_path, configurations, queries, *, lines=None):
    return [
        built_in_a_process(
            copy_modules(tmp_path / f"{seed}" / "corpus", lines=lines),
            tmp_path / f"{seed}" / "work",
            hash_seed=seed,
            cores=seed,
            configurations=configurations,
            queries=queries,
        )
        for seed in (1, 2)
    ]


def test_two_processes_build_the_same_to_the_bit(tmp_path):
    first, second = _twice(tmp_path, CONFIGURATIONS, QUERIES)

    assert [name for name, _, _ in first] == list(CONFIGURATIONS)
    for one, other in zip(first, second, strict=True):
        assert one == other
        assert sum(bool(names) for names, _ in one[2]) >= 25  # else there is little to compare
    assert len({fingerprint for _, fingerprint, _ in first}) == len(CONFIGURATIONS)


def test_two_processes_build_the_same_with_the_default_model(tmp_path):
    first, second = _twice(tmp_path, {"default": {}}, QUERIES, lines=15)

    assert first == second


@pytest.fixture
def corpus(tmp_path):
    return open_corpus(copy_modules(tmp_path / "corpus", MODULES[:6]))


def bits(built):
    """Return the vector of each chunk, and answers, to the bit."""
    found = [built.found(Query(query, query))[:2] for query in QUERIES]
    vectors = built.searcher.snapshot.vectors()[1].tobytes()
    return vectors, [(names, scores.tobytes()) for names, scores in found]


def test_remembered_vectors_change_nothing(corpus, tmp_path):
    seen = []
    for turn, memory in enumerate([None, tmp_path / "v.sqlite", tmp_path / "v.sqlite"]):
        folder = tmp_path / f"turn{turn}"
        built = build(corpus, STATIC, folder=folder, models=models(), vectors=memory)
        with closing(built):
            seen.append(bits(built))
            indexing = built.indexing

    assert seen[0] == seen[1] == seen[2]
    assert indexing["remembered_vectors"] == indexing["chunks"] > 50  # it embedded nothing


@pytest.mark.parametrize("model", ["static", "minilm"])
def test_a_text_has_one_vector_alone_and_among_others(corpus, tmp_path, model):
    chosen = Configuration(model=model)
    small = open_corpus(copy_modules(tmp_path / "small", ["bisect", "keyword"]))
    embedder = embedder_of(chosen, folder=model_folder())
    with closing(build(small, chosen, folder=tmp_path / "i", models=models())) as built:
        snapshot = built.searcher.snapshot
        rows, packed = snapshot.vectors()
        chunks = snapshot.chunks(rows)
    assert len(chunks) > 5
    for chunk, kept in zip(chunks, packed, strict=True):
        alone = np.asarray(pack(embedder.embed([text_of(chunk)]), "int8"))[0]
        assert alone.tobytes() == kept.tobytes()


WORDS = ["retry", "session", "open", "guide", "wait", "über", "connect", "host", "pause", "again"]


def changed(folder, chance):
    """Write, change, rename or remove some of twelve files."""
    for _ in range(chance.randint(1, 5)):
        file = folder / f"{chance.choice('abcdefghijkl')}.{chance.choice(['md', 'py'])}"
        fate = chance.random()
        if file.exists() and fate < 0.3:
            file.unlink()
        elif file.exists() and fate < 0.5:
            file.replace(file.with_name(f"{chance.choice('abcdefghijkl')}.md"))
        else:
            count = chance.randint(0, 25)
            names = [f"{chance.choice(WORDS)}_{turn}" for turn in range(count)]
            said = [" ".join(chance.choices(WORDS, k=9)) for _ in names]
            pairs = zip(names, said, strict=True)
            lines = [f'def {name}():\n    """{words}"""' for name, words in pairs]
            file.write_text("\n\n".join(lines), encoding="utf-8")


def content(store):
    """Return each chunk with its place, names and vector."""
    with closing(store.snapshot()) as snapshot:
        rows, packed = snapshot.vectors()
        assert rows.tolist() == snapshot.rows.tolist()
        chunks = snapshot.chunks(rows)
    return sorted(
        (chunk.id, chunk.lines, chunk.title, chunk.symbols, chunk.text, line.tobytes())
        for chunk, line in zip(chunks, packed, strict=True)
    )


def words_found(store):
    """Return the score of each document for each word, and how many chunks are deleted."""
    with closing(store.snapshot()) as snapshot:
        with closing(lexical_at(STATIC, snapshot.lexical)) as index:
            found = [index.search(word, 100) for word in WORDS]
            gone = index.deleted
        code = dict(zip(snapshot.rows.tolist(), snapshot.document_of.tolist(), strict=True))
        names = snapshot.documents
    scores = []
    for each in found:
        pairs = zip(each.rows.tolist(), each.scores.tolist(), strict=True)
        scores.append(sorted((names[code[row]], score) for row, score in pairs))
    return scores, gone


@pytest.mark.parametrize("seed", range(2))
def test_after_any_changes_an_index_holds_what_a_fresh_one_holds(tmp_path, seed):
    chance, folder = random.Random(seed), tmp_path / "corpus"
    folder.mkdir()
    embedder = cached(embedder_of(STATIC, folder=model_folder()), tmp_path / "v.sqlite")
    store = open_store(tmp_path / "old", settings="a")
    exact = 0
    for turn in range(8):
        changed(folder, chance)
        bring_up_to_date(store, open_corpus(folder), STATIC, embedder=embedder)
        fresh = open_store(tmp_path / f"fresh{turn}", settings="a")
        bring_up_to_date(fresh, open_corpus(folder), STATIC, embedder=embedder.plain)

        assert content(store) == content(fresh)
        (mine, gone), (theirs, none) = words_found(store), words_found(fresh)
        assert none == 0
        assert [[name for name, _ in each] for each in mine] == [
            [name for name, _ in each] for each in theirs
        ]
        if not gone:
            assert mine == theirs  # to the bit
            exact += 1
    assert exact >= 4
    embedder.close()


def test_scores_are_those_of_a_fresh_build_once_a_tenth_is_deleted(tmp_path):
    folder = copy_modules(tmp_path / "corpus")
    embedder = embedder_of(STATIC, folder=model_folder())
    store = open_store(tmp_path / "old", settings="a")
    bring_up_to_date(store, open_corpus(folder), STATIC, embedder=embedder)
    (folder / "cmd.py").unlink()
    few = bring_up_to_date(store, open_corpus(folder), STATIC, embedder=embedder)
    (folder / "copy.py").unlink()
    many = bring_up_to_date(store, open_corpus(folder), STATIC, embedder=embedder)
    fresh = open_store(tmp_path / "fresh", settings="a")
    bring_up_to_date(fresh, open_corpus(folder), STATIC, embedder=embedder)

    assert (few.rebuilt, many.rebuilt) == (False, True)  # 1 of 12, then 2 of 12
    assert words_found(store) == words_found(fresh)
    assert content(store) == content(fresh)


def test_a_problem_in_the_middle_leaves_the_index_as_it_was(tmp_path):
    folder = copy_modules(tmp_path / "corpus", MODULES[:3])
    store = open_store(tmp_path / "index", settings="a")
    bring_up_to_date(store, open_corpus(folder), LEXICAL)
    before = store.generation, words_found(store)

    class Failing:
        name, skipped = "failing", {}

        def documents(self, *, known=None):
            yield from list(open_corpus(folder).documents())[:2]
            raise InputError("no disk")

    with pytest.raises(InputError, match="no disk"):
        bring_up_to_date(store, Failing(), LEXICAL)
    assert (store.generation, words_found(store)) == before


def test_what_was_built_is_accounted_for(corpus, tmp_path):
    built = build(corpus, STATIC, folder=tmp_path / "index", models=models())
    with closing(built):
        indexing, storage = built.indexing, built.storage

    assert indexing["files"] == indexing["documents"] == 6
    assert indexing["chunks"] > 50
    assert indexing["tokens"] > 5_000
    assert indexing["files_per_second"] == pytest.approx(6 / indexing["seconds"])
    assert 10 < indexing["peak_memory_mb"] < 4_000
    parts = ("lexical_bytes", "vector_bytes", "other_bytes")
    assert storage["index_bytes"] == sum(storage[part] for part in parts)
    assert storage["bytes_per_document"] == storage["index_bytes"] / 6
    assert all(storage[part] > 0 for part in (*parts, "text_bytes"))


def test_documents_to_leave_out_are_left_out(corpus, tmp_path):
    with closing(build(corpus, LEXICAL, folder=tmp_path / "index", models=models())) as built:
        names, scores, _ = built.found(Query("q", "return the next month"))
        others, rest, _ = built.found(Query("q", "return the next month"), exclude={names[0]})

    assert len(names) > 2
    assert names[1:] == others
    assert scores[1:].tolist() == rest.tolist()


def test_documents_to_leave_out_may_be_named_by_path(tmp_path):
    """Documents of a file of records have ids that are not their paths."""
    held = [Document(f"d{n}", f"red apple {n}", path=f"fruit/{n}.txt") for n in range(3)]
    held.append(Document("fruit/1.txt", "red apple of that id", path="other"))
    options = {"folder": tmp_path / "index", "models": models()}
    with closing(build(inline(held), LEXICAL, **options)) as built:
        left = {
            name: set(built.found(Query("q", "apple"), exclude={name})[0])
            for name in ("fruit/0.txt", "d0", "fruit/1.txt", "nowhere")
        }

    every = {"d0", "d1", "d2", "fruit/1.txt"}
    assert left["fruit/0.txt"] == left["d0"] == every - {"d0"}
    assert left["fruit/1.txt"] == every - {"fruit/1.txt"}  # an id comes before a path
    assert left["nowhere"] == every


def test_seconds_tell_whether_vectors_were_remembered(tmp_path):
    corpus = inline([Document(f"d{at}", f"words of number {at}") for at in range(3)])
    told = []
    for name, vectors in (("one", "v"), ("two", "v"), ("fresh", None)):
        remembers = tmp_path / vectors if vectors else None
        built = build(
            corpus,
            STATIC,
            folder=tmp_path / name,
            models=models(),
            vectors=remembers,
        )
        with closing(built):
            indexing = built.indexing
            told.append((indexing["remembered_vectors"], indexing["seconds_complete"]))
            assert (indexing["remembered_seconds"] > 0) == (name == "two")
            assert indexing["seconds"] > indexing["remembered_seconds"]
    assert told == [(0, True), (3, True), (0, True)]


@pytest.mark.parametrize("search", ["lexical", "dense", "hybrid"])
def test_what_follows_moves_up_where_a_document_is_left_out(tmp_path, search):
    corpus = inline([Document(f"d{at}", "apple " * (at + 1)) for at in range(9)])
    given = {"search": search, "top_k": 5, **({} if search == "lexical" else {"model": "static"})}
    built = build(corpus, effective(given), folder=tmp_path, models=models())
    with closing(built):
        names, scores, _ = built.found(Query("q", "apple"))
        left_out = {names[0], names[3]}
        others, rest, _ = built.found(Query("q", "apple"), exclude=left_out)
        assert len(names) == len(others) == len(rest) == 5
        assert not left_out & set(others)
        if search != "hybrid":  # a fusion compares with the best of those that may be returned
            assert others[:3] == [name for name in names if name not in left_out]
            assert rest[:3].tolist() == [scores[at] for at in (1, 2, 4)]


@pytest.mark.parametrize("fusion", ["min_max", "blend"])
@pytest.mark.parametrize("unit", ["document", "chunk"])
def test_an_excluded_document_does_not_set_the_best_score(tmp_path, fusion, unit):
    """It is the best by words, by far: the others are compared with the best of themselves."""
    held = [Document("own", "apple pear plum " * 3)]
    held += [Document(f"d{at}", f"apple {'tree ' * at}") for at in range(4)]
    given = {"model": "static", "fusion": fusion, "weights": [1, 0], "depth": 4, "top_k": 4}
    built = build(
        inline(held),
        effective({**given, "lexical_unit": unit}),
        folder=tmp_path,
        models=models(),
    )
    query = Query("q", "apple pear plum", extra={"exclude": ["own"]})
    with closing(built):
        names, scores, _ = built.found(query)
        others, rest, _ = built.found(query, exclude={"own"})
        lists = [one.found.rows for one in built.last.traced[:2]]
    assert (names[0], len(names)) == ("own", 4)
    assert sorted(others) == ["d0", "d1", "d2", "d3"]
    assert [len(rows) for rows in lists] == [4, 4]
    assert rest[0] > 2 * scores[1]


def test_a_corpus_that_changes_has_another_content(tmp_path):
    (tmp_path / "docs").mkdir()
    contents = []
    for at, (name, text) in enumerate([("a", "one"), ("a", "one"), ("a", "two"), ("b", "two")]):
        (tmp_path / "docs" / f"{name}.md").write_text(text)
        corpus = open_corpus(tmp_path / "docs")
        size = {"chunk_size": 100 + at, "lexical_unit": "chunk"}
        chosen = effective({"search": "lexical", **size})
        built = build(corpus, chosen, folder=tmp_path / str(at), models=models())
        with closing(built):
            contents.append(built.indexing["content"])
    assert contents[0] == contents[1]
    assert len(set(contents)) == 3


@pytest.mark.parametrize("kind", ["exact", "hnsw", "ivf"])
def test_what_an_approximate_index_misses_is_reported(tmp_path, kind):
    texts = [f"note {number} about {number * 7 % 50} apples" for number in range(300)]
    corpus = inline([Document(id=f"d{at}", text=text) for at, text in enumerate(texts)])
    chosen = effective({"name": kind, "search": "dense", "model": "static", "dense": kind})

    built = build(corpus, chosen, folder=tmp_path / "index", models=OpenModels(tmp_path))
    with closing(built):
        for text in [*texts[:3], *texts[:20], *texts[:20]]:  # a warm-up, and two rounds
            built.found(Query(text, text))
        told, notes = built.indexing.get("dense_recall"), built.notes

    if kind == "exact":
        assert told is None
        assert notes == ()
    else:
        assert (told["queries"], told["k"]) == (20, 10)
        assert 0 <= told["worst"] <= told["mean"] <= 1
        assert any("recall@10" in note for note in notes)


def test_a_disk_that_no_engine_explains_is_a_message_about_the_index(
    tmp_path, monkeypatch, snapshot
):
    def full(*_given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("assay.searches.indexing.lexical_at", full)
    folder = copy_modules(tmp_path / "corpus", MODULES[:1])
    store = open_store(tmp_path / "full", settings="a")
    with pytest.raises(InputError) as caught:
        bring_up_to_date(store, open_corpus(folder), LEXICAL)
    assert caught.value.where == str(tmp_path / "full")
    snapshot(caught.value)
