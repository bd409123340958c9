"""Files for an upload: a path or bytes -> a multipart form."""

from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from urllib.parse import quote

from assay.errors import InputError

__all__ = ["FileSource", "make_form"]

FileSource = str | Path | bytes
"""A file by its path, or its content."""


def make_form(
    file: FileSource, *, file_name: str = "", fields: Mapping[str, str] | None = None
) -> tuple[bytes, str]:
    """Return a form with a file and some fields, and its content type; empty fields are left out.

    The format of a file is recognised by its content, and for some formats by its name.
    """
    content, name = _read(file)
    mark = f"assay{token_hex(16)}"
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in (fields or {}).items()
        if value
    ]
    shown = quote(file_name or name, safe=" !#$&'()+,;=@[]{}~")
    parts.append(
        f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{shown}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = "".join(parts).encode("utf-8", "replace") + content + f"\r\n--{mark}--\r\n".encode()
    return body, f"multipart/form-data; boundary={mark}"


def _read(file: FileSource) -> tuple[bytes, str]:
    if isinstance(file, bytes):
        return file, "upload"
    path = Path(file)
    try:
        return path.read_bytes(), path.name
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        hint = "give the path of a file; a folder can be converted with `assay dataset convert`"
        raise InputError(f"cannot be read ({reason})", where=str(path)[:200], hint=hint) from None
