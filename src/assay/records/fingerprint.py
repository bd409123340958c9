"""Fingerprints: things named by their content, the same on every machine."""

import json
from hashlib import sha256

__all__ = ["fingerprint_of", "fingerprint_settings"]


def fingerprint_settings(**settings: object) -> str:
    """Hash named settings (numbers, texts, tuples): whoever changes one of them gets another."""
    text = json.dumps(settings, sort_keys=True, ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint_of(*parts: object) -> str:
    """Name things by their content, the same on every machine."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return sha256(text.encode()).hexdigest()
