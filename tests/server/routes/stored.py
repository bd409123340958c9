"""Datasets as files to upload, and what the tests of the routes do with them again and again."""

import json

FRUIT = {
    "schema_version": "1.0",
    "metadata": {"name": "fruit"},
    "documents": [
        {"id": "apple", "text": "Apples grow on trees."},
        {"id": "banana", "text": "Bananas are yellow."},
    ],
    "queries": [
        {
            "query_key": "q1",
            "query_text": "what grows on trees",
            "relevant_docs": [{"doc_ref": {"document_id": "apple"}, "relevance_grade": 3}],
        },
        {
            "query_key": "q2",
            "query_text": "what is yellow",
            "relevant_docs": [{"doc_ref": {"document_id": "banana"}, "relevance_grade": 2}],
        },
    ],
}


def file_of(value, name="fruit.json"):
    """Return a multipart field with a dataset; text and bytes are sent as they are."""
    if not isinstance(value, str | bytes):
        value = json.dumps(value, ensure_ascii=False)
    return {"file": (name, value.encode() if isinstance(value, str) else value)}


def dataset_of(*queries, name="small", **metadata):
    """Return the JSON of a dataset of queries, each a pair of its key and its references."""
    entries = [
        {
            "query_key": key,
            "query_text": f"text of {key}",
            "relevant_docs": [{"doc_ref": one, "relevance_grade": 1} for one in references],
        }
        for key, references in queries
    ]
    return {"schema_version": "1.0", "metadata": {"name": name, **metadata}, "queries": entries}


def upload(client, value=FRUIT, *, file="fruit.json", **form):
    """Upload a dataset, and return it."""
    answer = client.post("/api/v1/datasets", files=file_of(value, file), data=form)
    assert answer.status_code == 201, answer.text
    return answer.json()


def all_items(client, path, **parameters):
    """Read a list to its end, page by page, and return all items."""
    found, cursor = [], ""
    while cursor is not None:
        answer = client.get(path, params={**parameters, "cursor": cursor})
        assert answer.status_code == 200, answer.text
        found += answer.json()["items"]
        cursor = answer.json()["next"]
    return found


def problem_of(answer, status):
    """Check that an answer is a problem of this status, and return it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.json()
