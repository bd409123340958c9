"""An index that the disk spoiled: one message, or an index that is whole again; no traceback."""

import random
import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from assay.cli import start as run

PAGE = 8192
STATIC = ["--model", "static"]
LEXICAL = ["--search", "lexical"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose index fills several pages of each table."""
    folder = tmp_path / "project"
    folder.mkdir()
    for number in range(30):
        body = f"def word{number}(x):\n    '''{'retry words ' * 30}'''\n    return {number}\n"
        (folder / f"f{number}.py").write_text(body * 4)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    return tmp_path


def index_of(project):
    (found,) = (project / ".assay" / "indexes").iterdir()
    return found


def spoiled(database, seed):
    """Overwrite one page with random bytes."""
    data, chance = bytearray(database.read_bytes()), random.Random(seed)
    start = PAGE * chance.randrange(len(data) // PAGE)
    data[start : start + PAGE] = chance.randbytes(PAGE)
    database.write_bytes(data)


@pytest.mark.parametrize("command", [["search", "project", "retry"], ["index", "project"]])
def test_any_spoiled_page_gets_one_message(project, capsys, command):
    assert run(["index", "project", *STATIC]) == 0
    database = index_of(project) / "index.sqlite"
    good = database.read_bytes()
    for seed in range(8):
        for ending in ("-wal", "-shm"):
            database.with_name(database.name + ending).unlink(missing_ok=True)
        database.write_bytes(good)
        spoiled(database, seed)
        (project / "project" / "f0.py").write_text(f"def other{seed}():\n    pass\n")
        capsys.readouterr()
        code = run([*command, *STATIC])
        err = capsys.readouterr().err
        assert code == 2, (seed, err)
        assert "Traceback" not in err
        assert re.match(rf"error: {re.escape(str(database.parent))}: .*\bdamaged\b", err)
        assert err.count("\n  hint: ") == 1


def test_a_text_that_is_gone_is_damage(project, capsys, snapshot):
    assert run(["index", "project", *LEXICAL]) == 0
    with closing(sqlite3.connect(index_of(project) / "index.sqlite")) as connection:
        connection.execute("DELETE FROM texts")
        connection.commit()

    assert run(["search", "project", "retry", *LEXICAL]) == 2
    err = capsys.readouterr().err
    assert str(index_of(project)) in err
    snapshot(err.replace(index_of(project).name, "INDEX"))
    shutil.rmtree(index_of(project))
    assert run(["search", "project", "retry", *LEXICAL]) == 0


def lexical_of(project):
    (found,) = index_of(project).glob("lexical-*")
    return found


def no_file(ending):
    def damage(folder):
        next(file for file in sorted(folder.iterdir()) if file.name.endswith(ending)).unlink()

    return damage


def truncated(ending):
    def damage(folder):
        file = next(file for file in sorted(folder.iterdir()) if file.name.endswith(ending))
        content = file.read_bytes()[: file.stat().st_size // 2]
        file.unlink()
        file.write_bytes(content)

    return damage


def overwritten(ending):
    """Keep the size, so that only opening or asking can tell."""

    def damage(folder):
        file = next(file for file in sorted(folder.iterdir()) if file.name.endswith(ending))
        size = file.stat().st_size
        file.unlink()
        file.write_bytes(random.Random(1).randbytes(size))

    return damage


DAMAGES = [
    ("tantivy", no_file(".store")),
    ("tantivy", no_file(".idx")),
    ("tantivy", no_file("meta.json")),
    ("tantivy", no_file("settings.json")),
    ("tantivy", truncated(".term")),
    ("tantivy", overwritten(".fast")),
    ("tantivy", overwritten("meta.json")),
    ("fts5", no_file("chunks.sqlite")),
    ("fts5", truncated("chunks.sqlite")),
    ("fts5", overwritten("chunks.sqlite")),
    ("postings", no_file(".bin")),
    ("postings", truncated(".bin")),
    ("postings", overwritten(".bin")),
]


@pytest.mark.parametrize(("engine", "damage"), DAMAGES)
@pytest.mark.parametrize("changed", [False, True])
def test_damaged_words_are_built_anew(project, capsys, engine, damage, changed):
    search = ["search", "project", "word7", *LEXICAL, "--lexical", engine]
    assert run(search) == 0
    whole = capsys.readouterr().out
    damage(lexical_of(project))
    if changed:
        (project / "project" / "new.md").write_text("nothing of that\n")
    assert run(search) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split(":")[0] == whole.splitlines()[0].split(":")[0] == " 1  f7.py"
    assert [line.startswith("note: ") for line in err.splitlines() if "damaged" in line] == [True]
    assert run(search) == 0
    assert "damaged" not in capsys.readouterr().err


def test_indexing_repairs_words_when_nothing_else_changed(project, capsys, snapshot):
    assert run(["index", "project", *LEXICAL]) == 0
    no_file("meta.json")(lexical_of(project))
    capsys.readouterr()
    assert run(["index", "project", *LEXICAL]) == 0

    out, err = capsys.readouterr()
    documents, *more = re.findall(r"\d+", out.partition("(")[0])
    assert documents == "30"
    assert len(more) == 1  # the chunks; no number of changes
    snapshot(err)


@pytest.mark.parametrize("command", [["index", "project"], ["search", "project", "retry"]])
def test_a_damaged_memory_of_vectors_is_told(project, capsys, command):
    (project / ".assay").mkdir()
    (project / ".assay" / "vectors.sqlite").write_bytes(b"no vectors" * 2000)
    assert run([*command, *STATIC]) == 0

    noted = [line for line in capsys.readouterr().err.splitlines() if "damaged" in line]
    assert len(noted) == 1
    assert re.match(r"note: .*vectors\.sqlite", noted[0])
