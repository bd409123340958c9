"""A receipt as JSON: every number of a coherence ranking."""

from dataclasses import fields
from typing import Any

from assay.records import Receipt, ReceiptItem

__all__ = ["receipt_json"]

SPELLED = {"delta_h": "deltaH", "milliseconds": "latency_ms"}  # the keys that programs rely on


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """Return all of a receipt; what was not computed is null."""
    told = {
        SPELLED.get(field.name, field.name): getattr(receipt, field.name)
        for field in fields(receipt)
    }
    return told | {
        "items": [_item(item) for item in receipt.items],
        "edges": [_edge(*edge) for edge in receipt.edges],
        "terms": None if receipt.terms is None else dict(receipt.terms),
        "settings": dict(receipt.settings),
        "latency_ms": dict(receipt.milliseconds),
        "iterations": None if receipt.iterations is None else dict(receipt.iterations),
    }


def _item(item: ReceiptItem) -> dict[str, Any]:
    told = {field.name: getattr(item, field.name) for field in fields(item)}
    near = [{"document": name, "weight": weight} for name, weight in item.neighbours]
    return told | {"neighbours": near}


def _edge(one: str, other: str, weight: float) -> dict[str, Any]:
    return {"documents": [one, other], "weight": weight}
