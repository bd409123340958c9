"""Take out of an output what differs between two runs of the same command."""

import json
import re

__all__ = ["normalise", "replace_dates", "round_numbers"]

# Keys of JSON: times, the machine and its versions, ids, and the names of stage outputs, which are
# hashes of the program's source, too.
KEYS = re.compile(
    r"\w*seconds|\w*_per_second|\w*_ms|milliseconds|efficiency|created|finished|last_used|at|latency"
    r"|peak_memory_mb|memory_mb|cores|python|platform|cpu|git_commit|implementation|packages|id|key"
    r"|machine|bytes|limited_bytes|disk_bytes|building_s|searching_s"
)
LONG_NUMBER = re.compile(r"-?\d+\.\d{6,}(?:e[+-]\d+)?|-?\d\.?\d*e-\d+")
DATE = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?:[\d:.]*(?:Z|[+-]\d\d:\d\d)?)")
DAY = re.compile(r'(?m)^(  "date": "|Date: )\d{4}-\d\d-\d\d("?,?)$')  # when a file was written
SUBSTITUTIONS = (
    # Ids of benchmarks, whole and as in `assay show 283606e4`.
    (r"\b[0-9a-f]{12}\b", "ID"),
    (r"(assay (?:show|report)) [0-9a-f]{8}\b", r"\1 ID"),
    # Seconds that indexing took: a row of a table, its column before the bytes, and sentences.
    (r"(?m)^index s .*$", "index s *"),
    (r"(?m)(  -  +-)  +[\d.]+(  +[\d,]+)$", r"\1  *\2"),
    (r"\([\d.]+ s(?:, [\d,.]+ files/s)?\)", "(* s)"),
    (r"\((\d+ of \d+), [\d.]+ s\)", r"(\1, * s)"),
    # A plan tries indexing for a moment, and knows more on a fast machine.
    (r"about \d+ s|less than 1 s", "SOME s"),
    (r"[\d.]+ KB more on disk", "* more on disk"),
    (r"indexing \(tried on [^)]*\)", "indexing (*)"),
    (r"searching \(.* each assumed.*\)", "searching (*)"),
    (r"(?m)^  SOME s .*\n", ""),  # a line for what takes a tenth of a second or more
    # Milliseconds of a search, as in "0.8 ms (lexical 0.7, cut 0.0)".
    (r"[\d.]+ ms \(([a-z_]+ [\d.]+(?:, )?)+\)", "* ms"),
    # What the cache holds is compressed, and there are times in it.
    (r"(?m)^(tapes|builds|vectors|reports)( +\d+) +[\d.]+ KB", r"\1\2  * KB"),
    (r"[\d.]+ KB of 5.0 GB", "* KB of 5.0 GB"),
    # What the database takes, a copy of it, and what lies beside it.
    (r"(SQLite, |copy\.sqlite, )[\d.]+ KB", r"\1* KB"),
    (r"(Outside the database: .*)\([\d.]+ [KM]B\)", r"\1(* KB)"),
    # Days since an index was brought up to date.
    (r"(staleness,age),[^,]+", r"\1,*"),
    (r"age \d+ minutes?", "age * minutes"),
)


def normalise(text: str) -> str:
    """Replace what was measured, dates and ids by a star or a word."""
    if text.startswith("{"):
        text = json.dumps(_starred(json.loads(text)), ensure_ascii=False, indent=2) + "\n"
    for pattern, new in SUBSTITUTIONS:
        text = re.sub(pattern, new, text)
    return text


def replace_dates(text: str) -> str:
    """Replace times, and the day on which a report was written."""
    return DAY.sub(r"\1DAY\2", DATE.sub("DATE", text))


def _starred(value: object) -> object:
    if isinstance(value, dict):
        if value.get("name") == "age" or "rests_on" in value:  # of an index in days; of a plan
            value = value | {"value": "*", "rests_on": "*"}
        return {key: "*" if KEYS.fullmatch(key) else _starred(one) for key, one in value.items()}
    return [_starred(one) for one in value] if isinstance(value, list) else value


def round_numbers(text: str, digits: int) -> str:
    """Round long numbers to so many significant digits: the last bits differ by machine."""
    return LONG_NUMBER.sub(lambda number: repr(float(f"{float(number[0]):.{digits}g}")), text)
