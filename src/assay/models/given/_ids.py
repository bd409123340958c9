"""The ids of the rows of an array, from a file beside it."""

from pathlib import Path

from assay.columns import Source
from assay.columns.documents.strict_json import strict_json
from assay.errors import InputError
from assay.models.given._npy import array_of_ids

__all__ = ["read_ids"]


def read_ids(path: Path) -> list[str]:
    """Read ids, in the order of the rows: an array, a list in JSON, or a text with one per line."""
    ending = path.suffix.lower()
    if ending == ".npy":
        return array_of_ids(path)
    with Source(path) as source:
        content = source.read_all()
    if ending == ".json":
        return _listed(strict_json(content, where=str(path)), path)
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", where=str(path), hint="save it as UTF-8") from None
    return [line.strip() for line in lines if line.strip()]


def _listed(value: object, path: Path) -> list[str]:
    known = value if isinstance(value, list) else []
    texts = [one for one in known if isinstance(one, str | int) and not isinstance(one, bool)]
    if not known or len(texts) < len(known):
        hint = 'write the ids in the order of the rows: ["d1", "d2", ...]'
        raise InputError("expected a list of ids", where=str(path), hint=hint)
    return [str(one) for one in texts]
