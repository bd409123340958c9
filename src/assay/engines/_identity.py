"""A fingerprint of settings: whoever changes one of them gets another."""

import hashlib
import json

__all__ = ["identity"]


def identity(**settings: object) -> str:
    """Hash named settings (numbers, texts, tuples) with SHA-256, in an order of their own."""
    text = json.dumps(settings, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
