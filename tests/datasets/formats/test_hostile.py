"""Texts that make careless readers slow: each must be read or refused in no time."""

import contextlib
import time

import pytest

from assay.datasets.load import load
from assay.errors import AssayError

MANY = 200_000
FILES = {
    "assay_json": {
        "brackets": b"[" * MANY,
        "objects": b'{"queries":[' + b"{}," * (MANY // 3) + b"{}]}",
        "judgments": b'{"queries":[{"relevant_docs":[' + b"1," * (MANY // 2) + b"1]}]}",
        "backslashes": b'{"queries":"' + b"\\" * MANY,
        "quotes": b'{"' + b'"' * MANY,
        "digits": b'{"queries":' + b"1" * MANY + b"}",
        "twice": b'{"queries":[],' + b'"a":1,' * (MANY // 6) + b'"a":1}',
    },
    "exocortex": {
        "names": b'[{"query":"x","expectedResults":[' + b'"a",' * (MANY // 4) + b'"a"]}]',
        "nulls": b'[{"query":"x","expectedResults":[' + b"null," * (MANY // 5) + b"1]}]",
    },
    "jsonl_pairs": {
        "broken": b"{\n" * (MANY // 2),
        "names": b'{"query":"a","relevant":[' + b'"a",' * (MANY // 4) + b'"a"]}',
        "blanks": b'{"query":"a","relevant":[]}' + b" " * MANY,
    },
    "csv": {
        "blanks": b" " * MANY + b"query,document\n",
        "quote": b'query,document\n"' + b"x" * MANY,
        "cells": b"query,document\n" + b"," * MANY,
        "titles": b"query,document" + b",x" * (MANY // 4) + b"\na,b\n",
        "apostrophes": b"query,document\n" + b"'" * (MANY // 2) + b",x\n",
    },
    "trec": {
        "less": b"<" * MANY,
        "tag": b"<" + b"a" * MANY,
        "topics": b"<top>" * (MANY // 5),
        "attributes": b"<topic " + b'id="' * (MANY // 4) + b">",
        "comments": b"<top>" + b"<!--" * (MANY // 4),
        "blanks": b"<top><num>1<title>" + b" " * MANY + b"x",
        "entities": b"<top><num>1<title>" + b"&#" * (MANY // 2),
        "tags": b"<top><num>1<title>" + b"<a>" * (MANY // 3),
        "titles": b"<top><num>1" + b"<title>x" * (MANY // 8),
    },
}
CASES = [(name, case) for name, cases in FILES.items() for case in cases]


@pytest.mark.parametrize(("name", "case"), CASES, ids=["-".join(pair) for pair in CASES])
def test_hostile_texts_take_no_time(name, case, tmp_path):
    path = tmp_path / ("topics.txt" if name == "trec" else "file")
    path.write_bytes(FILES[name][case])
    (tmp_path / "qrels.txt").write_text("1 0 d 1\n")
    start = time.process_time()
    for chosen in (None, name):
        with contextlib.suppress(AssayError):
            load(tmp_path if name == "trec" else path, format=chosen)
    assert time.process_time() - start < 10
