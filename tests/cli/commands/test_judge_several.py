"""``assay judge`` of several datasets, fed by a script."""

import io
import json
import re

import pytest

import assay
from assay.cli import start

SCALES = {"ours": 1, "their notes": 3}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("several")
    listed = []
    for name, scale in SCALES.items():
        (folder / name).mkdir()
        for at in range(5):
            (folder / name / f"d{at}.txt").write_text(f"retry {at} of {name}")
        judged = [{"doc_ref": {"path": "d0.txt"}, "relevance_grade": 1}]
        asked = [
            {"query_key": f"q{at}", "query_text": f"retry {at}", "relevant_docs": judged}
            for at in range(2)
        ]
        dataset = {"metadata": {"name": name, "scale": scale}, "queries": asked}
        (folder / f"{name}.json").write_text(json.dumps(dataset))
        listed.append({"dataset": f"{name}.json", "corpus": name})
    systems = []
    for name, order in {"words": "0123", "other": "0412"}.items():
        run = {f"q{at}": {f"d{d}.txt": -rank for rank, d in enumerate(order)} for at in range(2)}
        (folder / f"{name}.run.json").write_text(json.dumps(run))
        systems.append({"name": name, "system": {"kind": "run_file", "path": f"{name}.run.json"}})
    bench = {"name": "two", "datasets": listed, "baseline": "words", "configurations": systems}
    (folder / "bench.json").write_text(json.dumps(bench))
    assay.run(folder / "bench.json", workspace=folder / ".assay", untimed=True)
    return folder


@pytest.fixture
def told(place, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)

    def tell(keys, *options, file=str(place / "bench.json")):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
        workspace = ["--workspace", str(place / ".assay")]
        code = start(["judge", file, "--judge", "ann", *workspace, *options])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return tell


def test_it_says_what_was_written_and_what_to_do_with_it(told, place, tmp_path, capsys):
    code, out, err = told("111")
    assert code == 0
    assert re.match(r"[01] of 1 .*\b3 documents graded", out)
    assert "judged/ours.json, judged/their_notes.json\n" in err
    command = f"assay run {place / 'bench.json'} --dataset judged"
    assert f"`{command}`" in " ".join(err.split())
    words = [*command.split()[1:], "--untimed", "--workspace", str(tmp_path / "w")]
    assert start([*words, "--json"]) == 0
    ran = json.loads(capsys.readouterr().out)
    assert [*ran["dataset"]["collections"]] == [*SCALES]
    assert ran["dataset"]["judgments"] == 4 + 3


def test_programs_are_told_each_file_and_each_agreement(told):
    _, out, _ = told("1" * 30, "--json", "-o", "first")
    value = json.loads(out)
    assert value["output"] == "first"
    assert value["outputs"] == {
        "ours": "first/ours.json",
        "their notes": "first/their_notes.json",
    }
    _, out, err = told("1" * 30, "--json", "--second", "first")
    value = json.loads(out)
    assert "agreement" not in value
    assert [*value["agreements"]] == [*SCALES]
    assert value["output"] == "judged-second"
    assert "ours/q0: d" in err
    assert "their notes/q0: d" in err


def test_agreement_is_told_dataset_by_dataset(told):
    told("1" * 30)
    _, out, _ = told("1" * 30, "--second", "judged")
    said = [line for line in out.splitlines() if "agreement:" in line]
    assert [line.partition(", ")[0] for line in said] == [*SCALES]


def test_one_file_for_two_datasets_is_refused(told, snapshot):
    code, _, err = told("1", "-o", "judged.json")
    assert code == 2
    assert err.startswith("error: judged.json: ")
    assert "ours, their notes" in err
    assert "-o judged" in err
    snapshot(err)
