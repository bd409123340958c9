"""What a table in PostgreSQL can be told, refused where PostgreSQL would refuse it later."""

from dataclasses import dataclass

from assay.engines.check_values import check_switch
from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["INDEXES", "PostgresSettings", "checked"]

INDEXES = ("exact", "hnsw")
# What pgvector takes: https://github.com/pgvector/pgvector#index-options
RANGES = {"m": (2, 100), "ef_construction": (4, 1000), "ef_search": (1, 1000)}


@dataclass(frozen=True, slots=True)
class PostgresSettings:
    """How the table is indexed and asked; the numbers are those of an hnsw index."""

    index: str = "exact"
    m: int = 16
    ef_construction: int = 64
    ef_search: int = 40
    language: str = "english"
    words: bool = True

    @property
    def approximate(self) -> bool:
        """Whether dense search may miss some."""
        return self.index == "hnsw"

    @property
    def numbers(self) -> dict[str, int]:
        """Return the numbers that have an effect."""
        return {name: getattr(self, name) for name in RANGES} if self.approximate else {}


def checked(settings: PostgresSettings) -> PostgresSettings:
    """Refuse what pgvector would refuse, and numbers that would do nothing."""
    if settings.index not in INDEXES:
        raise InputError(
            f"unknown index {quote_value(settings.index)}",
            where="index",
            hint="expected exact or hnsw",
        )
    if not isinstance(settings.language, str):
        raise InputError(
            f"invalid value {quote_value(settings.language)}",
            where="language",
            hint="expected e.g. english",
        )
    check_switch(settings.words, where="words")
    for name, (least, most) in RANGES.items():
        _check_number(settings, name, least, most)
    if settings.ef_construction < 2 * settings.m:
        raise InputError(
            f"{settings.ef_construction} is less than twice m ({settings.m})",
            where="ef_construction",
            hint=f"use at least {2 * settings.m}",
        )
    return settings


def _check_number(settings: PostgresSettings, name: str, least: int, most: int) -> None:
    value = getattr(settings, name)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(
            f"invalid value {quote_value(value)}",
            where=name,
            hint=f"expected a whole number from {least} to {most:,}",
        )
    if not settings.approximate and value != getattr(PostgresSettings(), name):
        raise InputError(
            f"has no effect with index: {settings.index}",
            where=name,
            hint="remove it, or use index: hnsw",
        )
