"""Model behind an OpenAI-compatible embeddings API, e.g. openai:text-embedding-3-small."""

import os
from collections.abc import Sequence

from assay.errors import InputError
from assay.models.remote.json_client import JsonClient
from assay.models.remote.remote_embedder import RemoteEmbedder
from assay.records.model import Embedder
from assay.text import keep_secret

__all__ = ["openai"]

OPENAI = "https://api.openai.com/v1"


def openai(
    name: str,
    *,
    base_url: str | None = None,
    dimensions: int | None = None,
    batch: int = 64,
    timeout_s: float = 60.0,
) -> Embedder:
    """Open a model by its name; uses OPENAI_API_KEY, and OPENAI_BASE_URL for another server."""
    base, key = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI, _key()
    if base == OPENAI and not key:
        hint = "set OPENAI_API_KEY, or set OPENAI_BASE_URL to a server that needs no key"
        raise InputError("no API key", where=f"openai:{name}", hint=hint)
    client = JsonClient(base, key=key, timeout_s=timeout_s)
    body: dict[str, object] = {"model": name, "encoding_format": "float"}
    if dimensions is not None:
        body["dimensions"] = dimensions

    def ask(texts: Sequence[str]) -> Sequence[object]:
        answer = client("/embeddings", {**body, "input": list(texts)})
        return _ordered(answer, where=f"{client.base}/embeddings")

    def origin() -> list[object]:
        return ["openai-1", client.base, body]

    return RemoteEmbedder(f"openai:{name}", ask, origin=origin, batch=batch, client=client)


def _key() -> str:
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    keep_secret("OPENAI_API_KEY", key)
    if not (key.isascii() and key.isprintable()):
        hint = "remove line breaks and non-ASCII characters"
        raise InputError("not a valid API key", where="OPENAI_API_KEY", hint=hint)
    return key


def _ordered(answer: object, *, where: str) -> list[object]:
    """Put the vectors in the order of the texts: the API numbers them, and need not sort them."""
    try:
        items = {item["index"]: item["embedding"] for item in answer["data"]}  # type: ignore[index]
        count = len(answer["data"])  # type: ignore[index]
    except (KeyError, TypeError):
        problem = "the response has no list of embeddings with index under data"
        hint = "check that the server implements the OpenAI embeddings API"
        raise InputError(problem, where=where, hint=hint) from None
    if sorted(items, key=str) != sorted(range(count), key=str):
        problem = "the embeddings in the response are not numbered from 0"
        raise InputError(
            problem,
            where=where,
            hint="the server does not follow the OpenAI embeddings API: use another",
        )
    return [items[index] for index in range(count)]
