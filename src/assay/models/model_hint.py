"""A model name that is unknown or incomplete -> a hint with a name that works."""

import re
from collections.abc import Sequence

from assay.text.near_miss import near_miss

__all__ = ["FOLDER", "PUBLISHED", "model_hint", "reranker_hint", "with_example"]

# By the kinds that need a name after the colon: one that works as it is, or a folder to replace.
EXAMPLES = {
    "cross-encoder": "cross-encoder:models/ms-marco-minilm",
    "given": "given",  # needs vectors, not a name: it comes after those that need nothing
    "ollama": "ollama:nomic-embed-text",
    "onnx": "onnx:models/bge-small",
    "openai": "openai:text-embedding-3-small",
    "sentence-transformers": "sentence-transformers:BAAI/bge-small-en",
}
FOLDER = "specify a folder that contains model.onnx and tokenizer.json"
MINILM = ("all-minilm-l6-v2", "all-minilm")  # the names of our default model elsewhere
OPENAI = ("text-embedding-3-large", "text-embedding-3-small", "text-embedding-ada-002")
OLLAMA = (
    *("bge-large", "bge-m3", "embeddinggemma", "granite-embedding", "mxbai-embed-large"),
    *("nomic-embed-text", "nomic-embed-text-v2-moe", "paraphrase-multilingual"),
    *("qwen3-embedding", "snowflake-arctic-embed", "snowflake-arctic-embed2"),
)  # embedding models at https://ollama.com/library
# Publishers on Hugging Face, by how the names of their models start.
PUBLISHERS = {
    "bge-": "BAAI/",
    "e5-": "intfloat/",
    "multilingual-e5-": "intfloat/",
    "gte-": "thenlper/",
    "jina-embeddings-": "jinaai/",
    **dict.fromkeys(("all-", "msmarco-", "multi-qa-", "paraphrase-"), ""),  # the package's own
}
# Names of Ollama and others that are parts of those on Hugging Face.
SHORT = {f"bge-{size}": f"bge-{size}-en-v1.5" for size in ("small", "base", "large")}
PUBLISHED = re.compile(r"[\w-][\w.-]*/[\w.-]+")  # PUBLISHER/MODEL


def model_hint(value: str, names: Sequence[str]) -> str:
    """Suggest how to write an embedding model; ``names`` are those of the catalogue.

    >>> model_hint("text-embedding-3-small", ["minilm", "openai"])
    'write openai:text-embedding-3-small'
    >>> model_hint("all-MiniLM-L6-v2", ["minilm", "openai"])
    'write minilm, which is all-MiniLM-L6-v2'
    """
    written = value.strip()
    kinds = [name.replace("_", "-") for name in names]
    if _plain(written) in MINILM:
        return "write minilm, which is all-MiniLM-L6-v2"
    if found := _served(written) or _slash(written, kinds):
        return f"write {found}"
    if close := _close(written, kinds):
        return close
    if PUBLISHED.fullmatch(written):
        return f"write sentence-transformers:{written} (Hugging Face), or {FOLDER}"
    if found := _published(written):
        return f"write {found}"
    return f"use e.g. {_listed(kinds)}; see assay list models"


def reranker_hint(value: str, names: Sequence[str]) -> str:
    """Suggest how to write a reranker.

    >>> reranker_hint("colbert", ["cross_encoder", "maxsim"])
    'use e.g. maxsim, cross-encoder:models/ms-marco-minilm; see assay list rerankers'
    """
    kinds = [name.replace("_", "-") for name in names]
    listed = f"use e.g. {_listed(kinds)}; see assay list rerankers"
    return _close(value.strip(), kinds) or listed


def with_example(kind: str, parameter: str = "name") -> str:
    """Write a kind of model with a name after the colon.

    >>> with_example("ollama"), with_example("plugin", "path")
    ('ollama:nomic-embed-text', 'plugin:PATH')
    """
    return EXAMPLES.get(kind, f"{kind}:{parameter.upper()}")


def _plain(value: str) -> str:
    """Take the publisher and the tag off a name."""
    return value.lower().removeprefix("sentence-transformers/").removesuffix(":latest")


def _served(value: str) -> str:
    """Recognise models of OpenAI and of Ollama, the latter also with a tag."""
    if value in OPENAI:
        return f"openai:{value}"
    return f"ollama:{value}" if value.partition(":")[0].lower() in OLLAMA else ""


def _slash(value: str, kinds: Sequence[str]) -> str:
    """Put a colon where a slash follows the kind: ollama/nomic-embed-text."""
    kind, slash, name = value.partition("/")
    return f"{kind.lower()}:{name}" if slash and name and kind.lower() in kinds else ""


def _close(value: str, kinds: Sequence[str]) -> str:
    """Correct the spelling of a kind, and keep what follows it."""
    kind, colon, name = value.partition(":")
    close = near_miss(kind.lower(), kinds, alike=0.75)
    if not close:
        return ""
    rest = f"{colon}{name}" if name else ""
    return f'did you mean "{close}{rest}"?' if rest else f'did you mean "{_listed([close])}"?'


def _published(value: str) -> str:
    """Recognise models on Hugging Face that are written without their publisher."""
    for start, publisher in PUBLISHERS.items():
        if value.lower().startswith(start) and PUBLISHED.fullmatch(f"x/{value}"):
            return f"sentence-transformers:{publisher}{SHORT.get(value.lower(), value)}"
    return ""


def _listed(kinds: Sequence[str]) -> str:
    """List kinds, those first that need no name."""
    return ", ".join(EXAMPLES.get(kind, kind) for kind in sorted(kinds, key=EXAMPLES.__contains__))
