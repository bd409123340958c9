"""The example of YAML with expected files can be copied: it resolves as the page says."""

import re
from pathlib import Path

from assay.datasets.load import load
from assay.workflows.resolve import resolve

PAGE = Path(__file__).parents[2] / "docs" / "datasets.md"
FILES = {
    "http/retry.py": "class RetryPolicy:\n    pass\n",
    "http/client.py": "class Client:\n    def send(self):\n        pass\n\n\n",
    "http/backoff.py": "def jitter():\n    pass\n",
    "old/backoff.py": "x = 1\n",
    "docs/retry.md": "Retries.\n",
}


def test_the_yaml_example_can_be_copied(tmp_path):
    (text,) = re.findall(r"```yaml queries.yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "queries.yaml").write_text(text)
    for name, content in FILES.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    dataset = load(tmp_path / "queries.yaml")
    assert [one.grade for one in dataset.queries[0].judgments] == [2, 2, 1, 3, 2, 1]
    found = resolve(dataset)
    assert found.status == "resolved"
    assert [len(row.documents) for row in found.rows] == [1, 2, 1, 1, 1, 1]
    assert [row.by_part for row in found.rows] == [False, True, False, False, True, False]
