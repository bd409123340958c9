"""Files to break: two datasets for every format, and files as other people write them."""

from pathlib import Path

from assay.records import Dataset, Document, Judgment, Query, Rationale, Reference

__all__ = ["FOREIGN", "PLAIN", "RICH"]

RICH = Dataset(
    "rich",
    (
        Query(
            "q1",
            "where are retries ünder 100 %?",
            (
                Judgment(Reference.named("setup.md"), 3, "either", Rationale("says so", (3, 9))),
                Judgment(Reference(path="src/a.py", symbol="get", match="substring"), 2, "either"),
                Judgment(Reference(document_id="d7", uri="file:///d7"), 0),
                Judgment(Reference(symbol="Session.get"), 1),
            ),
            "concept",
            "hard",
            "requests",
            {"desc": "what is wanted", "seen": [1, 2.5, None, {"deep": True}]},
        ),
        Query("q2", "=how to parse a date", (Judgment(Reference.named("b.py"), 1),)),
        Query("q3", "nothing is right", ()),
    ),
    description="a few",
    documents=(Document("d7", "text", "title"), Document("d8", "more")),
    metadata={"licence": "CC0"},
)
PLAIN = Dataset(
    "plain",
    tuple(
        Query(f"{n}", f"query number {n}", (Judgment(Reference.named(f"d{n}.py"), n % 3),))
        for n in range(1, 9)
    ),
)
SGML = b"""<top>
<num> Number: 301
<title> International Organized Crime
<desc> Description:
Identify organizations &amp; their aims.
<narr> Narrative:
A relevant document must name one.
</top>
<top><num>302</num><title>Polio</title></top>
"""
QRELS = b"301 0 d1 1\n301 0 d2 0\n302 0 d3 2\n"
EXPORTS = Path(__file__).parents[1] / "exports"
EXPORTED = {
    "llamaindex": "llamaindex/embedding_qa.json",
    "opensearch_judgments": "opensearch/llm_judgments.json",
    "qrels": "ranx/qrels.json",
    "quepid_book": "quepid/book_7.json",
    "quepid_case": "quepid/case_12.json",
    "quepid_csv": "quepid/book_7_judgements.csv",
    "ragas": "ragas/with_ids.jsonl",
    "rank_eval": "elasticsearch/rank_eval.json",
}
FOREIGN = {
    "trec": [
        {"topics.txt": SGML, "qrels.txt": QRELS},
        {"topics.tsv": b"301\tcrime\n302\tpolio\n", "qrels.tsv": QRELS.replace(b" ", b"\t")},
        {"": QRELS},
        {"topics.txt": SGML, "qrels.txt": b"301 1 d1 1\n301 2 d1 1\n302 1 d3 1\n"},
    ],
    "csv": [
        {"": b"Query;Document;Relevance;Owner\r\nhow to;a.md;2;me\r\nhow to;b.md;0;me\r\n"},
        {"": b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t3\n"},
    ],
    "akashic_yaml": [
        {
            "": b"# queries\n- id: 1\n  query: where is it\n  category: function\n"
            b"  expected_files:\n    - a/b.py\n    - c.py\n  expected_symbols: [Get, Put]\n"
            b"- {id: two, query: 'x'}\n"
        }
    ],
    "exocortex": [
        {
            "": b'[{"query": "daily tasks", "expectedResults": ["a.md", "b.md", "c.md"]},'
            b' {"query": "plans", "expectedResults": []}]'
        },
        {
            "": b'{"documents": [{"path": "a.md", "content": "x", "metadata": {"tag": 1}}],'
            b' "queries": [{"query": "daily", "expectedResults": ["a.md"]}]}'
        },
    ],
    "assay_json": [
        {
            "": b'{"queries": [{"query_id": "a", "query": "b", "relevant_doc_refs": ["x", {"path":'
            b' "p", "relevance_grade": "3"}, {"doc_ref": {"uri": "u"}}]}]}'
        }
    ],
    "jsonl_pairs": [
        {"": b'{"query": "a", "relevant": [1, "b"]}\n{"query": "c", "relevant": {"d": 2}}\n'}
    ],
    "questions": [
        {".json": b'[{"id": 1, "question": "how to", "files": ["a.md", "b;c.md"], "page": 3}]'},
        {".json": b'{"name": "n", "questions": [{"q": "a b", "files": {"x.md": 3, "y.md": 0}}]}'},
        {".json": b'{"How do I do it?": "a.md", "What is it?": ["b.md", "c.md"]}'},
        {".jsonl": b'{"question": "a", "file": "x.md"}\n{"question": "a", "file": "y.md"}\n'},
        {".yaml": b"corpus: src\nquestions:\n- question: a\n  files: [x.md]\n  grades: [2]\n"},
        {".yaml": b"- {question: a b, page: https://x.org/a, team: red}\n"},
        {".csv": b"Nr;Question;Answer file;Team\n1;a b;x.md, y.md;red\n1;;z.md;blue\n"},
    ],
    "sia_code": [
        {
            "": b'{"id": 1, "repo": "r", "path": "a.py", "file_content": "x", "query": "y",'
            b' "ground_truth": "a.py", "line_range": [1, 2]}\n'
        }
    ],
    "repoeval": [
        {
            "": b'{"prompt": "import x", "metadata": {"task_id": "r/0", "ground_truth": "y()",'
            b' "fpath_tuple": ["r", "a", "b.py"], "context_start_lineno": 0, "line_no": 7}}\n'
        }
    ],
    "beir": [
        {
            "queries.jsonl": b'{"_id": "1", "text": "a", "metadata": {}}\n'
            b'{"_id": "2", "text": "b"}\n',
            "qrels.tsv": b"query-id\tcorpus-id\tscore\n1\td1\t1\n2\td2\t0\n",
            "corpus.jsonl": b'{"_id": "d1", "title": "", "text": "x"}\n',
            "meta.json": b'{"licence": "none", "scale": 2}',
        }
    ],
    "consciousdb": [
        {
            "queries.jsonl": b'{"query_id": "1", "query": "a"}\n{"_id": 2, "text": "b"}\n',
            "qrels.jsonl": b'{"query_id": "1", "relevant_ids": ["d1", 2]}\n'
            b'{"query_id": 2, "doc_id": "d1", "relevance": 2}\n',
        }
    ],
    **{name: [{"": (EXPORTS / path).read_bytes()}] for name, path in EXPORTED.items()},
}
