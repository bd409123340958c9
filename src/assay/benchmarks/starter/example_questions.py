"""How to write a dataset: a few questions with the files that answer them, to be pasted."""

import json
from collections.abc import Sequence

__all__ = ["FILE", "example_questions"]

FILE = "questions.yaml"
QUESTIONS = ("a question that this file answers", "a question that either of these files answers")
NAMES = ("first.md", "second.md", "third.md")


def example_questions(documents: Sequence[str]) -> str:
    """Write a minimal dataset (YAML with expected files) with some documents of a corpus.

    >>> print(example_questions(["a.md", "b/c.md", "d.md"]))
    - query: a question that this file answers
      expected_files: [a.md]
    - query: a question that either of these files answers
      expected_files: [b/c.md, d.md]
    """
    names = [*documents[: len(NAMES)], *NAMES[len(documents) :]]
    first, *others = map(_quoted, names)
    lists = (first, ", ".join(others))
    return "\n".join(
        f"- query: {question}\n  expected_files: [{files}]"
        for question, files in zip(QUESTIONS, lists, strict=True)
    )


def _quoted(name: str) -> str:
    """Write a path so that YAML reads it as a text."""
    plain = name.isascii() and name[:1].isalpha() and not set(name) & set(":#,[]{}\"'&*!|>%@` ")
    return name if plain else json.dumps(name, ensure_ascii=False)
