"""Model served by Ollama, e.g. ollama:nomic-embed-text; set OLLAMA_HOST for another host."""

import os
from collections.abc import Sequence

from assay.errors import InputError
from assay.models.remote.json_client import STATUS, JsonClient
from assay.models.remote.remote_embedder import RemoteEmbedder
from assay.records.model import Embedder

__all__ = ["ollama"]

PORT = 11434


def ollama(
    name: str, *, host: str | None = None, batch: int = 32, timeout_s: float = 300.0
) -> Embedder:
    """Open a model by its name; the server is at ``host``, OLLAMA_HOST or 127.0.0.1:11434."""
    start = "start the server: ollama serve"
    client = JsonClient(_address(host), timeout_s=timeout_s, start=start)

    def ask(texts: Sequence[str]) -> Sequence[object]:
        answer = _asked(client, name, {"model": name, "input": list(texts), "truncate": True})
        vectors = answer.get("embeddings") if isinstance(answer, dict) else None
        if not isinstance(vectors, list):
            hint = f"check that {name} is an embedding model, and that Ollama is 0.3 or later"
            raise InputError("the response contains no embeddings", where=client.base, hint=hint)
        return vectors

    def origin() -> list[object]:
        return ["ollama-1", name, _digest(client, name)]

    return RemoteEmbedder(f"ollama:{name}", ask, origin=origin, batch=batch, client=client)


def _address(host: str | None) -> str:
    given = (host or os.environ.get("OLLAMA_HOST") or "127.0.0.1").strip()
    address = given if "//" in given else f"http://{given}"
    # Ollama itself takes a host without a port for one with its own; 0.0.0.0 is where it listens.
    address = address.replace("//0.0.0.0", "//127.0.0.1")
    scheme, _, rest = address.partition("//")
    return address if ":" in rest or scheme == "https:" else f"{address.rstrip('/')}:{PORT}"


def _asked(client: JsonClient, name: str, body: dict[str, object]) -> object:
    try:
        return client("/api/embed", body)
    except InputError as error:
        if STATUS.format(404) in error.problem:
            raise _missing(client, name) from None
        raise


def _digest(client: JsonClient, name: str) -> str:
    """Return the hash of the model's weights: a name may mean others after the next pull."""
    answer = client("/api/tags")
    models = answer.get("models") if isinstance(answer, dict) else None
    for model in models if isinstance(models, list) else []:
        if isinstance(model, dict) and model.get("name") in (name, f"{name}:latest"):
            return str(model.get("digest"))
    raise _missing(client, name)


def _missing(client: JsonClient, name: str) -> InputError:
    hint = f"download it: ollama pull {name}"
    return InputError(f'unknown model "{name}"', where=client.base, hint=hint)
