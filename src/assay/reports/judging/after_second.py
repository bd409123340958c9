"""What to do once a second judge has graded: go on, settle what is graded apart, or count it."""

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
        documents = count_noun(judged.left, "document")
        are = "is" if judged.left == 1 else "are"
        return f"The same command goes on with the {documents} that {are} left."
    command = sanitize(f"assay run {quote(benchmark)} --dataset {quote(first)}")
    if not apart:
        return f"`{command}` counts the grades, which both judges gave alike."
    documents = count_noun(apart, "document")
    return (
        f"Settle together the {documents} that you graded apart, and write the grades that you "
        f"agree on into {sanitize(first)}; then `{command}` counts them."
    )
