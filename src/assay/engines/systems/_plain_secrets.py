"""Find secrets in plain text by the names of their fields."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import SplitResult, unquote, urlsplit

from assay.engines.systems._template import literal, named
from assay.errors import InputError

__all__ = ["check_plain_secrets"]

MARK = "\0"  # stands where a place was
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# A name that ends so is that of a secret, as one word or as several: apiKey, X-API-KEY, api_key.
ENDS = re.compile(
    r"(authorization|auth|password|passwd|passphrase|secret|cookie|credentials?|token|bearer|jwt"
    r"|signature|(api|app|access|account|admin|auth|client|functions?|license|master|private|secret"
    r"|service|shared|subscription)keys?)$"
)
LAST = ("sig", "pwd", "pass")  # as words of their own
HARMLESS = re.compile("cache|continuation|idempotency|next|order|page|partition|routing|shard")
SCHEME = re.compile(
    r"^(basic|bearer|digest|hmac|jwt|key|negotiate|oauth|splunk|token|api-?(key|token))\s+", re.I
)
FRAME = re.compile(rf"[\w-]+=\"?{MARK}|[\"',;\s{MARK}]")  # of pairs: a="${A}"; b=${B}


def check_plain_secrets(
    url: str, headers: Mapping[str, object], params: Mapping[str, object], request: object
) -> None:
    """Refuse a secret in plain text: reports show the settings of a benchmark file.

    A variable from the environment is allowed, but not with a default after ``:-``.
    """
    address = _split(url)
    fields = [*_behind(address), *_fields(headers, "headers"), *_fields(params, "params")]
    for where, name, value in [*fields, *_fields(request, "request")]:
        if _is_secret(name, where) and any(map(_is_plain, _scalars(value))):
            hint = f'write {name:.60}: "${{NAME}}" without a default, and set that variable'
            raise InputError("contains a secret in plain text", where=where, hint=hint)
    if "@" in address.netloc:
        hint = 'use headers: {Authorization: "Basic ${NAME}"} and set that variable'
        raise InputError("contains a user name or password", where="url", hint=hint)


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(literal(url))
    except ValueError:  # no address, which is told elsewhere
        return urlsplit("")


def _behind(address: SplitResult) -> Iterator[tuple[str, str, object]]:
    """Take the fields that stand behind an address."""
    for part in re.split("[&;]", address.query):
        name, _, value = part.partition("=")
        yield "url", unquote(name), unquote(value)


def _fields(given: object, where: str) -> Iterator[tuple[str, str, object]]:
    """Go through names and values, however deep."""
    if isinstance(given, Mapping):
        for name, value in given.items():
            yield f"{where}.{name}", str(name), value
            yield from _fields(value, f"{where}.{name}")
    elif isinstance(given, list | tuple):
        for at, one in enumerate(given):
            yield from _fields(one, f"{where}[{at}]")


def _is_secret(name: str, where: str) -> bool:
    words: list[str] = [word.lower() for word in WORD.findall(name)]
    kind, last = ["", "", *words][-2:]
    if HARMLESS.fullmatch(kind):
        return False  # keys and tokens of other kinds
    if last in LAST or ENDS.search("".join(words)):
        return True
    if where.startswith("request"):  # deep in a request it may be a filter: {key: city, ...}
        return name.lower() == "key" and where == f"request.{name}"
    return last == "key"


def _scalars(value: object) -> Iterator[str]:
    for one in value if isinstance(value, list | tuple) else [value]:
        if isinstance(one, str | int | float) and not isinstance(one, bool):
            yield str(one)


def _is_plain(value: str) -> bool:
    """Tell whether anything is left of a value besides its places and what frames them."""
    if named(value) and ":-" not in value:
        return False  # it is made of the query
    left = literal(value, mark=MARK).strip()
    return bool(FRAME.sub("", SCHEME.sub("", left)))
