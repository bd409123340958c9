"""Tokens: shown once, hashed, compared in constant time, expired, revoked."""

import hmac
import time
from contextlib import closing, contextmanager

import pytest
from sqlalchemy.exc import SQLAlchemyError
from tests.workspace.store.made import AUTHOR
from tests.workspace.stored import all_rows

from assay.errors import AccessError, ConflictError, InputError, NotFoundError
from assay.workspace.store import tokens


@pytest.fixture
def now(clock, is_file):
    return lambda: clock.now if is_file else time.time()


def test_by_hand(service, store_place):
    made = service.tokens.create("laptop", "editor", **AUTHOR)
    assert (made.entry.name, made.entry.role, made.entry.author) == ("laptop", "editor", "ada")
    assert made.plain not in repr(made)
    checked = service.tokens.check(made.plain)
    assert (checked.id, checked.role) == (made.entry.id, "editor")
    assert checked.last_used >= made.entry.created
    assert service.tokens.page().items == (checked,)
    stored = repr(all_rows(store_place))
    assert made.entry.id in stored
    assert made.plain.rpartition("_")[2][:20] not in stored  # neither in the audit


def test_every_token_is_another_one(service):
    plain = {service.tokens.create(f"t{n}", "viewer", **AUTHOR).plain for n in range(20)}
    assert len(plain) == 20
    assert all(len(one) == len("assay_") + 12 + 1 + 43 for one in plain)


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: "",
        lambda plain: plain[:-1],
        lambda plain: plain + "A",
        lambda plain: plain[:-1] + ("A" if plain[-1] != "A" else "B"),
        lambda plain: plain.upper(),
        lambda plain: plain.replace(plain[6:18], "0" * 12),
        lambda plain: f" {plain}",
        lambda plain: plain + "\n",
        lambda plain: "' OR 1=1 --",
        lambda plain: "\0\ud800",
        lambda plain: None,
    ],
)
def test_what_is_no_token_is_refused(service, change):
    plain = service.tokens.create("laptop", "viewer", **AUTHOR).plain
    with pytest.raises(AccessError, match="unknown") as caught:
        service.tokens.check(change(plain))
    assert plain[19:] not in str(caught.value)
    assert service.tokens.page().items[0].last_used is None


def test_secrets_are_compared_in_constant_time(service, monkeypatch):
    """Also where there is no such token: how long an answer takes says nothing."""
    compared, whole = [], hmac.compare_digest

    def compare(first, second):
        compared.append((len(first), len(second)))
        return whole(first, second)

    monkeypatch.setattr(tokens.hmac, "compare_digest", compare)
    plain = service.tokens.create("laptop", "viewer", **AUTHOR).plain
    service.tokens.check(plain)
    for wrong in (plain[:-1] + "!", plain.replace(plain[6:18], "0" * 12), "x"):
        with pytest.raises(AccessError):
            service.tokens.check(wrong)
    assert compared == [(32, 32)] * 4


def test_a_revoked_token_gives_no_access(service):
    made = service.tokens.create("laptop", "admin", **AUTHOR)
    gone = service.tokens.revoke(made.entry.id, **AUTHOR)
    assert gone.revoked is not None
    with pytest.raises(AccessError, match="revoked"):
        service.tokens.check(made.plain)
    assert service.tokens.revoke(made.entry.id, **AUTHOR) == gone
    assert [one.act for one in service.audit.page().items] == ["token.revoke", "token.create"]
    again = service.tokens.create("laptop", "admin", **AUTHOR)
    assert service.tokens.check(again.plain).id == again.entry.id


def test_a_token_expires(service, now, clock, is_file):
    made = service.tokens.create("laptop", "viewer", expires=now() + 3.0, **AUTHOR)
    assert service.tokens.check(made.plain).expires == made.entry.expires
    if is_file:
        clock.now += 10.0
    else:
        time.sleep(3.1)
    with pytest.raises(AccessError, match="expired"):
        service.tokens.check(made.plain)
    for wrong in (now() - 1, 0.0, float("nan")):
        with pytest.raises(InputError, match="expiry"):
            service.tokens.create("other", "viewer", expires=wrong, **AUTHOR)


def test_not_every_use_is_written(service, clock, is_file):
    made = service.tokens.create("laptop", "viewer", **AUTHOR)
    first = service.tokens.check(made.plain).last_used
    assert service.tokens.check(made.plain).last_used == first
    if is_file:
        clock.now += tokens.SEEN_S
        assert service.tokens.check(made.plain).last_used == clock.now


def test_a_token_gives_access_while_nothing_can_be_written(service, store_place, monkeypatch):
    """As on a full disk, where all that is stored can still be read."""
    monkeypatch.setattr(tokens, "SEEN_S", 0.0)
    made = service.tokens.create("laptop", "viewer", **AUTHOR)
    used = service.tokens.check(made.plain).last_used
    refuse_writing(service, store_place)
    checked = service.tokens.check(made.plain)
    assert (checked.id, checked.last_used) == (made.entry.id, used)
    with pytest.raises((InputError, SQLAlchemyError)):
        service.tokens.revoke(made.entry.id, **AUTHOR)


def refuse_writing(service, store_place):
    """Let the database itself refuse every change."""
    database = service.tokens._access.database
    whole = database.writing

    @contextmanager
    def writing(**options):
        with whole(**options) as connection:
            if "://" in store_place:
                connection.exec_driver_sql("SET TRANSACTION READ ONLY")
            else:
                connection.exec_driver_sql("PRAGMA query_only = ON")
            try:
                yield connection
            finally:
                if "://" not in store_place:
                    connection.exec_driver_sql("PRAGMA query_only = OFF")

    database.writing = writing


def test_names_roles_and_ids(service):
    service.tokens.create("laptop", "viewer", **AUTHOR)
    with pytest.raises(ConflictError, match="laptop"):
        service.tokens.create("laptop", "viewer", **AUTHOR)
    with pytest.raises(InputError, match="role") as caught:
        service.tokens.create("other", "root", **AUTHOR)
    assert "viewer" in caught.value.hint
    with pytest.raises(InputError, match="name"):
        service.tokens.create("", "viewer", **AUTHOR)
    for wrong in ("0" * 12, "", "' OR 1=1 --", "\0", None):
        with pytest.raises(NotFoundError):
            service.tokens.get(wrong)
        with pytest.raises(NotFoundError):
            service.tokens.revoke(wrong, **AUTHOR)
    assert len(service.tokens.page().items) == 1


def test_a_token_of_another_store_is_unknown(service, place):
    from assay.workspace.store.store import open_service_store

    with closing(open_service_store(place / "other.sqlite")) as other:
        plain = other.tokens.create("laptop", "admin", **AUTHOR).plain
    with pytest.raises(AccessError, match="unknown"):
        service.tokens.check(plain)
