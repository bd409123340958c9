"""Secrets that were looked up for a request -> their names wherever a server repeats them."""

import html
import json
import re
from urllib.parse import quote, quote_plus, urlsplit

__all__ = ["conceal", "forget_secrets", "forms_of", "keep_secret"]

SHORTEST = 6  # letters of a secret: shorter ones would be found everywhere
_names: dict[str, str] = {}  # of all secrets of this process, by each form that they may have


def keep_secret(name: str, value: str) -> None:
    """Let no message and no record of this process show a value; the ``name`` takes its place."""
    for secret in (value, _password(value)):
        if len(secret) >= SHORTEST:
            _names.update(dict.fromkeys(forms_of(secret), f"${{{name}}}"))


def forget_secrets() -> None:
    """Begin again, as a new process would."""
    _names.clear()


def conceal(text: str) -> str:
    """Put names where secrets stand.

    >>> keep_secret("EXAMPLE_KEY", "open sesame")
    >>> conceal("401: wrong key open%20sesame")
    '401: wrong key ${EXAMPLE_KEY}'
    """
    if not any(form in text for form in _names):
        return text
    forms = sorted(_names, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, forms)), lambda found: _names[found[0]], text)


def forms_of(value: str) -> set[str]:
    """Write a value in all the ways in which a server may repeat it."""
    escaped = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    escaped |= {repr(value)[1:-1], html.escape(value), html.escape(value, quote=False)}
    encoded = {quote(value), quote(value, safe=""), quote_plus(value)}
    lower = {re.sub("%..", lambda found: found[0].lower(), one) for one in encoded}
    twice = {repr(one)[1:-1] for one in escaped}  # JSON in a text that Python writes
    return {value, *escaped, *encoded, *lower, *twice}


def _password(value: str) -> str:
    """Return the password of an address, if it is one and has one."""
    try:
        return urlsplit(value).password or ""
    except ValueError:
        return ""
