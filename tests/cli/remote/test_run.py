"""``assay run --url``: run, repeat, resume, retry and cancel a benchmark of a service."""

import json
import re

import pytest

from assay.client import Client
from assay.errors import UnavailableError

RUN = ("run", "benchmark.yaml", "--untimed")


def report(outcome):
    code, out, err = outcome
    assert code == 0, err
    return json.loads(out)


def earlier(told):
    return [note for note in told["notes"] if "recorded earlier" in note]


def create(client, name, *, started=False):
    """Create a benchmark over a mapping that is there."""
    mapping = next(iter(client.mappings.list())).id
    chosen = [{"name": "words", "search": "lexical"}]
    made = client.benchmarks.create({"name": name, "mappings": [mapping], "configurations": chosen})
    if started:
        client.benchmarks.start(made.id)
    return made.id


def test_fresh_measures_again_what_a_repetition_reuses(run_it):
    first = report(run_it(*RUN, "--json"))
    again = report(run_it(*RUN, "--json"))
    fresh = report(run_it(*RUN, "--json", "--fresh"))
    assert earlier(first) == []
    assert "--fresh" in earlier(again)[0]
    assert earlier(fresh) == []
    assert [one["scores"] for one in fresh["runs"]] == [one["scores"] for one in first["runs"]]


def test_an_id_is_resumed_without_a_file(run_it, client, folder, assay):
    report(run_it(*RUN, "--json"))
    id_ = create(client, "waits", started=True)
    client.benchmarks.cancel(id_)
    told = report(run_it("run", id_[:8], "--resume", "--json"))
    assert (told["id"], told["benchmark"]["name"]) == (id_, "waits")
    code, _, err = assay("run", id_[:8], "--resume")
    assert code == 2
    assert "already completed" in err
    assert f"assay run {id_[:8]} --resume --retry-failed --url {client.url}" in err
    code, _, err = run_it("run", id_[:8], "--resume", "--retry-failed")
    assert code == 0
    assert "no query had failed" in err


def test_the_file_finds_the_newest_with_its_name(run_it, client, folder):
    first = report(run_it(*RUN, "--json"))
    id_ = create(client, folder.name)
    assert id_ != first["id"]
    assert report(run_it(*RUN, "--resume", "--json"))["id"] == id_


def test_a_benchmark_is_cancelled_by_its_id(run_it, client, assay):
    report(run_it(*RUN, "--json"))
    id_ = create(client, "too long", started=True)
    code, out, err = assay("run", "--cancel", id_[:8])
    assert (code, out) == (0, "")
    assert f"assay run {id_[:8]} --resume --url {client.url}" in err
    assert client.benchmarks.get(id_).state == "cancelled"
    code, _, err = assay("run", "--cancel", id_)
    assert code == 2
    assert "cancelled" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["benchmark.yaml", "--cancel", "x"], "cannot be combined"),
        (["benchmark.yaml", "--retry-failed"], "--retry-failed requires --resume"),
        (["benchmark.yaml", "--resume", "--fresh"], "remove --fresh"),
        (["nothing.yaml", "--resume"], "neither a file nor a benchmark"),
        (["benchmark.yaml", "--save-runs", "runs"], "--save-runs cannot be combined"),
    ],
)
def test_what_cannot_be_combined_is_refused(assay, words, said):
    code, out, err = assay("run", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_cancel_needs_a_service(folder, capsys):
    from assay.cli import start

    assert start(["run", "--cancel", "x"]) == 2
    assert "--cancel requires --url" in capsys.readouterr().err


def commands(err, address):
    """Return the id in a message, once all commands about it were named."""
    (id_,) = set(re.findall(r"benchmark ([0-9a-f]{12})", err))
    for words in (f"run {id_[:8]} --resume", f"show {id_[:8]}", f"run --cancel {id_[:8]}"):
        assert f"assay {words} --url {address}" in err
    return id_


def test_an_interrupt_leaves_it_and_names_the_commands(assay, client, address, monkeypatch):
    monkeypatch.setattr("assay.cli.remote.run.follow", interrupt)
    monkeypatch.setattr("assay.cli.remote.run._map", lambda *_, **__: mapped(client))
    code, _, err = assay(*RUN)
    assert code == 130
    assert client.benchmarks.get(commands(err, address)).state == "running"


def interrupt(*_, **__):
    raise KeyboardInterrupt


def mapped(client):
    return next(iter(client.mappings.list())).id


def test_a_service_that_goes_away_keeps_it(assay, client, address, monkeypatch):
    def gone(*_, **__):
        raise UnavailableError("cannot be reached (Connection refused)", where=address)

    monkeypatch.setattr("assay.cli.remote.run.follow", gone)
    monkeypatch.setattr("assay.cli.remote.run._map", lambda *_, **__: mapped(client))
    code, _, err = assay(*RUN)
    assert code == 2
    commands(err, address)
    assert "cannot be reached (Connection refused)" in err
    assert "kept, and continues when the service runs again" in err


def test_an_unknown_corpus_names_those_of_the_service(assay, client):
    client.corpora.create("handbook", {"source": "stdlib"})
    code, _, err = assay(*RUN, "--corpus", "hanbook")
    assert code == 2
    assert 'did you mean "handbook"?' in err
    _, _, err = assay(*RUN, "--corpus", "nosuch")
    assert "corpora of the service: " in err
    assert "handbook" in err


def test_a_problem_of_the_dataset_names_the_file(assay, folder, service):
    lines = [f"question {at},apple.md" for at in range(service.settings.query_limit + 1)]
    (folder / "many.csv").write_text("\n".join(["query,expected_files", *lines]) + "\n")
    code, _, err = assay(*RUN, "--dataset", "many.csv")
    assert code == 2
    assert "many.csv" in err
    assert "dataset.json" not in err


def test_an_address_with_a_path_is_told(assay, address):
    code, _, err = assay("show", url=f"{address}/api/v1")
    assert code == 2
    assert f"without a path: {address}" in err


def test_the_client_says_so_too(address, token):
    with (
        Client(f"{address}/docs", token=token) as other,
        pytest.raises(Exception, match=f"without a path: {address}"),
    ):
        list(other.datasets.list())
