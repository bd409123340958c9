"""Memory does not grow with the corpus: ten times the documents, the same peak."""

import subprocess

READ = """
import sys
from assay.corpora.open_corpus import open_corpus
print(sum(1 for _ in open_corpus(sys.argv[1]).documents()), peak() // 1000)
"""


def many_files(root, count):
    for number in range(count):
        folder = root / f"{number // 100}"
        folder.mkdir(exist_ok=True, parents=True)
        (folder / f"{number}.py").write_bytes(b"x = 1\n" * 20)
    return root


def many_lines(root, count):
    place = root / f"{count}.jsonl"
    with place.open("w") as file:
        file.writelines(
            f'{{"_id": "d{number}", "text": "{"x" * 80}"}}\n' for number in range(count)
        )
    return place


def test_files(tmp_path, measure):
    few, many = many_files(tmp_path / "few", 2_000), many_files(tmp_path / "many", 8_000)
    (small, low), (large, high) = measure(READ, few), measure(READ, many)
    assert (small, large) == (2_000, 8_000)
    assert high < low + 1.5  # MB; the documents with their records are 6 MB


def test_lines(tmp_path, measure):
    (small, low), (large, high) = (measure(READ, many_lines(tmp_path, n)) for n in (2_000, 80_000))
    assert (small, large) == (2_000, 80_000)
    assert high < low + 6  # MB: 3 for the hashes of the ids, also while they move; 9 in the file


def repository(root):
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True)
    return f"git:{root}"


def test_revisions(tmp_path, measure):
    few, many = many_files(tmp_path / "few", 200), many_files(tmp_path / "many", 5_000)
    (small, low), (large, high) = measure(READ, repository(few)), measure(READ, repository(many))
    assert (small, large) == (200, 5_000)
    assert high < low + 1.5
