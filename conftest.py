"""Run every Python block in the Markdown files."""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser()], patterns=["*.md"], excludes=[".venv/*", "**/.venv/**"]
).pytest()
