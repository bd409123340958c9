"""Settings with values that nobody would write: each is refused or taken, none is a fault."""

import pytest
from tests.server.routes.stored import dataset_of, problem_of, upload

from assay.searches.configuration.nested_settings import NESTED
from assay.searches.configuration.settings import SETTINGS

HUGE = 10**400
HOSTILE = [
    *(None, True, False, 0, -1, 1, 5, HUGE, -HUGE, 1e308, -1e308, 5e-324, 0.5),
    *("", " ", "x", "\0", "a" * 10_000, "../../etc/passwd", "1", "none"),
    *([], ["a"], [[]], [None], [1e308, 1e308], [HUGE, 1], [0, 0], [-1, 1], ["a", 1], [[["a"]]]),
    *({}, {"a": 1}, {"": None}, {"kind": 5}, {"kind": ["x"]}, {"title": HUGE}, {"alpha": HUGE}),
    *({"per_hour": HUGE}, {"url": 5}, {"lambda": [1]}),
]
BASES = ({"search": "lexical"}, {"search": "hybrid", "model": "static"})
NAMES = [*SETTINGS, "name", "unit", "unknown"]


def values_of(name):
    """Hostile values of a setting, also for the settings that it has of its own."""
    yield from HOSTILE
    for inner in NESTED.get(name, ()):
        yield from ({inner: one} for one in HOSTILE[::2])


@pytest.fixture
def service(make_service, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/apple.md").write_text("Apples grow on trees.")
    return make_service(allow=(f"corpus={tmp_path}",))


@pytest.fixture
def made(client, tmp_path, wait_for_job):
    """A corpus, and indexes of the configurations that hostile values are put in."""
    body = {"name": "c", "where": {"path": str(tmp_path / "docs")}}
    corpus = client.post("/api/v1/corpora", json=body).json()["id"]
    for base in BASES:
        body = {"configuration": base}
        job = client.post(f"/api/v1/corpora/{corpus}/index", json=body).json()["id"]
        assert wait_for_job(job).state == "completed"
    return corpus


def test_of_a_search_are_never_a_fault(client, made):
    """By a viewer, who reaches the indexes that are there and builds none."""
    viewer, found = client.role("viewer"), set()
    for base in BASES:
        for name in NAMES:
            for value in values_of(name):
                asked = {"query": "apples", "corpus": made, "configuration": {**base, name: value}}
                answer = viewer.post("/api/v1/search", json=asked)
                assert answer.status_code in (200, 409, 422), (base, name, value, answer.text)
                assert "damaged" not in answer.text, (base, name, value, answer.text)
                found.add(answer.status_code)
    assert found == {200, 409, 422}


@pytest.fixture
def mapping(client, made, wait_for_job):
    """A resolved mapping: its corpus is known to be small, and is indexed for an editor."""
    dataset = upload(client, dataset_of(("q1", [{"path": "apple.md"}])))["id"]
    mapping = client.post("/api/v1/mappings", json={"dataset": dataset, "corpus": made}).json()
    wait_for_job(mapping["job"]["id"])
    return mapping["id"]


def test_of_a_plan_are_never_a_fault(client, mapping):
    viewer = client.role("viewer")
    for name in NAMES:
        for value in values_of(name):
            chosen = {"name": "x", "search": "lexical", name: value}
            asked = {"name": "p", "mappings": [mapping], "configurations": [chosen]}
            answer = viewer.post("/api/v1/plans", json=asked)
            assert answer.status_code in (200, 422), (name, value, answer.text)


@pytest.mark.parametrize("unit", ["chunk", "symbol", "x", 5, None, ["a"], {}])
def test_a_unit_of_a_search_is_refused(client, mapping, unit):
    asked = {"query": "apples", "mapping": mapping, "configuration": {**BASES[0], "unit": unit}}
    told = problem_of(client.post("/api/v1/search", json=asked), 422)
    assert "unit" in told["problems"][0]["where"]
    assert "damaged" not in told["detail"]
