"""Parts of schemas that several formats share."""

from typing import Any

__all__ = ["GRADE", "NAME", "TEXT", "record"]

TEXT: dict[str, Any] = {"type": "string"}
NAME: dict[str, Any] = {"type": ["string", "integer"], "minLength": 1}
GRADE: dict[str, Any] = {"type": "integer", "minimum": -1000, "maximum": 1000}


def record(properties: dict[str, Any], *needed: str | tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of an object that may hold more; of several names, one is needed."""
    ways = [(key,) if isinstance(key, str) else key for key in needed]
    return {
        "type": "object",
        "properties": properties,
        "allOf": [{"anyOf": [{"required": [key]} for key in keys]} for keys in ways],
    }
