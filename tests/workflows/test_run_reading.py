"""How a run reads the judgments of its datasets."""

import pytest

import assay
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.columns.ungraded import NOTE
from assay.errors import InputError
from assay.workflows.plan import plan


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pages").mkdir()
    for name in ("keys", "vault", "office"):
        (tmp_path / "pages" / f"{name}.md").write_text(f"all about the {name}\n")
    rows = [
        "query,file,stars",
        "the keys,keys.md,3",
        "the vault,vault.md,3",
        "the roof,office.md,0",
    ]
    (tmp_path / "judged.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def benchmark(folder, dataset):
    return {
        "dataset": dataset,
        "corpus": str(folder / "pages"),
        "configurations": [{"name": "bm25", "search": "lexical"}],
    }


def test_a_dataset_may_say_that_its_judgments_are_binary(folder, tmp_path):
    path = str(folder / "judged.csv")
    with pytest.raises(InputError, match='"stars"'):
        plan(benchmark(folder, path), workspace=tmp_path / "w")
    told = benchmark(folder, {"path": path, "binary": True})
    report = assay.run(told, workspace=tmp_path / "w", asks=1)
    assert NOTE in report.notes
    assert report.runs[0].scores["recall@5"] == pytest.approx(2 / 3)
    asked = plan(benchmark(folder, path), binary=True, workspace=tmp_path / "w")
    assert asked is not None


def test_unknown_keys_of_a_dataset_are_refused(folder):
    path = str(folder / "judged.csv")
    with pytest.raises(InputError, match='"binry"'):
        read_benchmark(benchmark(folder, {"path": path, "binry": True}))
    with pytest.raises(InputError, match=r'binary.*"yes"'):
        read_benchmark(benchmark(folder, {"path": path, "binary": "yes"}))
    several = {"datasets": [{"dataset": {"path": path, "binary": True}}]}
    given = {key: value for key, value in benchmark(folder, "").items() if key != "dataset"}
    assert read_benchmark(given | several).collections[0].reading == {"binary": True}


def test_queries_without_any_relevant_document_are_noted(folder, tmp_path, snapshot):
    path = folder / "judged.csv"
    path.write_text(path.read_text().replace("stars", "grade"))
    report = assay.run(benchmark(folder, str(path)), workspace=tmp_path / "w", asks=1)
    (note,) = [one for one in report.notes if '"the roof"' in one]
    assert "1 query" in note
    snapshot(note)
