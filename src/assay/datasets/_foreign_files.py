"""Files that hold no judgments, though they could be taken for some -> what to do instead."""

import re

from assay.columns.header import first_row
from assay.columns.titles import GRADE, RANK, TITLES, plain_titles
from assay.datasets.first_keys import first_keys
from assay.errors import InputError

__all__ = ["refuse_foreign"]

CLICKS = (
    "is a click log; clicks are not judgments",
    "clicks depend on which results were shown and where: run the queries of the log (assay diff)"
    " and have people grade the results (assay judge); do not use click counts as grades",
)
CONTEXTS = (
    "identifies the relevant contexts by their text, not by document ids",
    "add the document ids that your index uses, as JSON lines:"
    ' {"user_input": "...", "reference_context_ids": ["doc1", "doc2"]}',
)
CELLS = (
    "has several ids in one cell (reference_context_ids)",
    "save the test set as JSON lines instead of CSV:"
    ' {"user_input": "...", "reference_context_ids": ["doc1", "doc2"]}',
)
RUN = (
    "has ranks and scores like a run, but no grades",
    'give the path of a judgments file; if the scores are grades, name their column "grade"',
)
PACKED = (
    "is a zip archive or a spreadsheet (.xlsx, .ods)",
    'unpack the archive, or save the spreadsheet as "CSV UTF-8"',
)
ZIP = b"PK\x03\x04"
# An event and a query of User Behavior Insights (UBI), of which OpenSearch and others keep logs.
EVENT = re.compile(rb'"(?:action_name|query_response_hit_ids)"\s*:')
TEXTS = re.compile(rb'"(?:reference_contexts|retrieved_contexts|contexts)"\s*:')
IDS = "reference_context_ids"
ASKED = {"user_input", "question", "query"}
OURS = {"relevant", "relevant_docs", "relevant_doc_refs", "expectedResults", IDS}
MARK = re.compile(rb"[,;\t]")
COUNTED = re.compile(r"(?:num|n|total|sum)?(?:clicks?|clicked|ctr|impressions?)(?:count)?")
GRADED = {*plain_titles(GRADE)} - {"score"}
ORDER = {*plain_titles(RANK)}
SHOWN = {
    *plain_titles([*TITLES["name"], *TITLES["document_id"], *TITLES["uri"], *TITLES["path"]]),
    *plain_titles(["hit", "hit_id", "object_id", "page", "title"]),
}
SHEET = {"referencecontexts", "retrievedcontexts"}


def refuse_foreign(head: bytes, *, where: str) -> None:
    """Raise for the first bytes of a file that must not, or cannot, be read as judgments."""
    json = head.lstrip()[:1] in (b"{", b"[")
    found = _of_json(head) if json else _of_table(head)
    if found:
        raise InputError(found[0], where=where, hint=found[1])


def _of_json(head: bytes) -> tuple[str, str] | None:
    event, texts = EVENT.search(head), TEXTS.search(head)
    if not event and not texts:
        return None
    keys = set(first_keys(head.lstrip().removeprefix(b"[")))
    # The answer of a search holds its records further down, and so do examples of LlamaIndex.
    if keys & OURS:
        return None
    if event and (keys & {"action_name", "query_response_hit_ids"} or "hits" in keys):
        return CLICKS
    return CONTEXTS if texts and (keys & ASKED or "examples" in keys) else None


def _of_table(head: bytes) -> tuple[str, str] | None:
    if head.startswith(ZIP):
        return PACKED
    mark = MARK.search(head.partition(b"\n")[0])
    titles = set(plain_titles(first_row(head, mark[0].decode()))) if mark else set()
    if any(map(COUNTED.fullmatch, titles)) and not titles & GRADED and titles & SHOWN:
        return CLICKS  # without documents it is a list of queries
    if "score" in titles and titles & ORDER and not titles & GRADED:
        return RUN
    if "referencecontextids" in titles:
        return CELLS
    return CONTEXTS if titles & SHEET else None
