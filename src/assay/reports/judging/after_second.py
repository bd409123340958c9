"""What to do once a second judge has graded: continue, agree on grades, or score with them."""

from shlex import quote

from assay.records.judging import JudgingResult
from assay.text import sanitize
from assay.text.count_noun import count_noun

__all__ = ["after_second"]


def after_second(judged: JudgingResult, *, benchmark: str, first: str) -> str:
    """Say it in a sentence; ``first`` is the file or folder of the first judge, which counts."""
    both = [judged.agreement] if judged.agreement else [*judged.agreements.values()]
    apart = sum(one.pairs - one.equal for one in both)
    if judged.left:
        documents = count_noun(judged.left, "remaining document")
        return f"Run the same command again to grade the {documents}."
    command = sanitize(f"assay run {quote(benchmark)} --dataset {quote(first)}")
    if not apart:
        return f"Both judges gave the same grades. Run `{command}` to score with them."
    documents = count_noun(apart, "document")
    return (
        f"Agree on a grade for the {documents} that you graded differently, and write it to "
        f"{sanitize(first)}. Then run `{command}` to score with these grades."
    )
