"""Distinctive terms: numbers of tickets, invoices and parts, full names, titles of projects."""

from collections.abc import Callable
from dataclasses import dataclass

from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._sentences import PEOPLE

__all__ = ["KINDS", "TermKind"]

SURNAMES = (
    *("Abadi", "Bergström", "Castellano", "Drummond", "Eriksen", "Fontaine", "Grünwald"),
    *("Haddad", "Ibarra", "Jankowski", "Kowalczyk", "Lindqvist", "Marchetti", "Nakamura"),
    *("Okonkwo", "Petrović", "Quiroga", "Rasmussen", "Santangelo", "Tanaka", "Ulrich"),
    *("Vasquez", "Wozniak", "Yamaguchi", "Zeller"),
)
COLOURS = ("Amber", "Copper", "Crimson", "Indigo", "Ivory", "Silver", "Umber", "Violet", "Golden")
CREATURES = ("Badger", "Falcon", "Heron", "Lynx", "Marten", "Osprey", "Otter", "Raven", "Stoat")
UNDERTAKINGS = ("Archive", "Bridge", "Charter", "Dossier", "Index", "Protocol", "Register")
LETTERS = "ABCDEFGHKLMNPRSTUVWX"


@dataclass(frozen=True, slots=True)
class TermKind:
    """A kind of term: how one is made, one that is nearly the same, and what notes say of it."""

    name: str
    make: Callable[[SeededRandom], str]
    twin: Callable[[str, SeededRandom], str]
    about: tuple[str, ...]
    passing: tuple[str, ...]


def _ticket(chance: SeededRandom) -> str:
    return f"OPS-{10_000 + chance.below(90_000)}"


def _invoice(chance: SeededRandom) -> str:
    return f"INV-{2015 + chance.below(10)}-{1000 + chance.below(9000)}"


def _part(chance: SeededRandom) -> str:
    letters = chance.pick(LETTERS) + chance.pick(LETTERS)
    return f"{letters}{1000 + chance.below(9000)}-{chance.pick(LETTERS)}"


def _other_digit(term: str, chance: SeededRandom) -> str:
    """Change one of the last digits: the slip of a person who copies a number."""
    places = [at for at, sign in enumerate(term) if sign.isdigit()][-3:]
    at = chance.pick(places)
    return f"{term[:at]}{(int(term[at]) + 1 + chance.below(9)) % 10}{term[at + 1 :]}"


def _name(chance: SeededRandom) -> str:
    middle = chance.pick(LETTERS)
    return f"{chance.pick(PEOPLE)} {middle}. {chance.pick(SURNAMES)}"


def _namesake(term: str, chance: SeededRandom) -> str:
    return f"{term.rpartition(' ')[0]} {chance.pick(SURNAMES)}"


def _title(chance: SeededRandom) -> str:
    words = (chance.pick(COLOURS), chance.pick(CREATURES), chance.pick(UNDERTAKINGS))
    return f"{' '.join(words)} {10 + chance.below(90)}"


def _other_volume(term: str, chance: SeededRandom) -> str:
    return f"{term.rpartition(' ')[0]} {10 + chance.below(90)}"


KINDS = (
    TermKind(
        "ticket",
        _ticket,
        _other_digit,
        ("Ticket {term} is open since {day}.", "{person} closed ticket {term} on {day}."),
        ("{person} says that {term} is the same problem.", "It may go away with {term}."),
    ),
    TermKind(
        "invoice",
        _invoice,
        _other_digit,
        ("Invoice {term} over {amount} is due on {day}.", "{person} paid invoice {term}."),
        ("{person} mixed this up with {term}.", "The sum is that of {term}, strangely."),
    ),
    TermKind(
        "part",
        _part,
        _other_digit,
        ("We need two of part {term} by {day}.", "Part {term} is sold out at {place}."),
        ("{term} would fit as well, says {person}.", "{person} took the last {term}."),
    ),
    TermKind(
        "person",
        _name,
        _namesake,
        ("{term} starts here on {day}.", "{term} wrote to us about {place} on {day}."),
        ("{term} sat next to {person}.", "{person} has it from {term}."),
    ),
    TermKind(
        "title",
        _title,
        _other_volume,
        ("{term} begins on {day}.", "{person} is responsible for {term} from {day}."),
        ("{person} did this for {term} too.", "There is a page on it in {term}."),
    ),
)
