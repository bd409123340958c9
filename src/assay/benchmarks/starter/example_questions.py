"""How to write a dataset: a few questions with the files that answer them, to be pasted."""

import json
from collections.abc import Sequence

__all__ = ["FILE", "RESERVED", "example_questions"]

FILE = "questions.yaml"
RESERVED = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
ONE, TWO = "a question that this file answers", "a question that these two files answer"


def example_questions(documents: Sequence[str]) -> str:
    """Write a minimal dataset (YAML with expected files) with some documents of a corpus.

    Without documents there is none.

    >>> print(example_questions(["a.md", "b/c.md", "d.md"]))
    - query: a question that this file answers
      expected_files: [a.md]
    - query: a question that these two files answer
      expected_files: [b/c.md, d.md]
    """
    first, others = documents[:1], documents[1:3]
    questions = {ONE: first, (TWO if len(others) > 1 else f"another {ONE[2:]}"): others}
    return "\n".join(
        f"- query: {question}\n  expected_files: [{', '.join(map(_quoted, files))}]"
        for question, files in questions.items()
        if files
    )


def _quoted(name: str) -> str:
    """Write a path so that YAML reads it as a text."""
    plain = name.isascii() and name[:1].isalpha() and not set(name) & set(":#,[]{}\"'&*!|>%@` ")
    return name if plain and name.lower() not in RESERVED else json.dumps(name, ensure_ascii=False)
