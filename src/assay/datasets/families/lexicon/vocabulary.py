"""YAML files of words -> the matters that synthetic notes are about, in a fixed order."""

from functools import cache
from pathlib import Path
from typing import Any

from assay.datasets.families.lexicon.matter import Domain, DomainTopic, Event, Matter

__all__ = ["everyday", "homonyms"]

FOLDER = Path(__file__).parent
# The order decides which matters a seed chooses.
EVERYDAY = ("animals", "building", "clubs", "home", "kitchen", "office", "services", "travel")


@cache
def everyday() -> tuple[Matter, ...]:
    """Every matter of the everyday domains."""
    domains = [_domain(name, **_read(name)) for name in EVERYDAY]
    return tuple(
        Matter(domain, topic, event)
        for domain in domains
        for topic in domain.topics
        for event in domain.events
    )


@cache
def homonyms() -> tuple[Matter, ...]:
    """Every matter of words with several meanings: only the domain of a query tells which."""
    content = _read("homonyms")
    return tuple(
        matter
        for word, senses in content["words"].items()
        for domain, sayings in senses.items()
        for matter in _sense(word, domain, sayings, content["details"][domain])
    )


def _read(name: str) -> dict[str, Any]:
    from assay.columns.documents.strict_yaml import strict_yaml

    path = FOLDER / f"{name}.yaml"
    content: dict[str, Any] = strict_yaml(path.read_bytes(), where=path.name).value
    return content


def _domain(
    name: str, *, topics: dict[str, str], events: dict[str, Any], details: list[str]
) -> Domain:
    return Domain(
        name,
        tuple(DomainTopic(*_texts(pair)) for pair in topics.items()),
        tuple(_event(event, **parts) for event, parts in events.items()),
        _texts(details),
    )


def _sense(
    word: str, domain: str, sayings: list[dict[str, list[str]]], details: list[str]
) -> tuple[Matter, Matter]:
    """Make the two matters of one meaning of a word; they are kin."""
    first, second = sayings
    events = (_saying("first", "second", **first), _saying("second", "first", **second))
    home = Domain(domain, (DomainTopic(word, word),), events, _texts(details))
    return Matter(home, home.topics[0], events[0]), Matter(home, home.topics[0], events[1])


def _saying(name: str, kin: str, *, asked: list[str], told: list[str]) -> Event:
    return _event(name, kin=kin, short=[], asked=asked, plain=told, told=told)


def _event(name: str, *, kin: str, **forms: list[str]) -> Event:
    return Event(name, kin, **{key: _texts(form) for key, form in forms.items()})


def _texts(values: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what YAML reads as another type, such as an unquoted ``on``."""
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"not a list of texts: {values}")
    return tuple(values)
