"""One meaning of a word that has several: the domain it belongs to, and two things to say of it."""

from assay.datasets.families.lexicon.matter import Domain, Event, Matter, Topic

__all__ = ["Sayings", "sense"]

Sayings = tuple[str, str, str, str]  # asked twice, told twice


def sense(word: str, domain: str, first: Sayings, second: Sayings) -> tuple[Matter, Matter]:
    """Make the two matters of a sense; they are kin."""
    events = (_event("first", "second", first), _event("second", "first", second))
    home = Domain(domain, (Topic(word, word),), events, DETAILS[domain])
    return Matter(home, home.topics[0], events[0]), Matter(home, home.topics[0], events[1])


def _event(name: str, kin: str, sayings: Sayings) -> Event:
    return Event(name, kin, short=(), asked=sayings[:2], plain=sayings[2:], told=sayings[2:])


DETAILS = {
    "software": (
        "{person} reviewed it on {day}.",
        "The pipeline was green again by {day}.",
        "It is in the release notes.",
        "{person} filed a ticket so that we do not forget.",
    ),
    "nature": (
        "We walked on until {place}.",
        "{person} took a photograph for the calendar.",
        "The air smelled of wet earth.",
        "The ranger told {person} about it on {day}.",
    ),
    "money": (
        "{person} keeps the statements in {place}.",
        "It came to {amount} in the end.",
        "The tax adviser wants to know by {day}.",
        "{person} read about it in the business pages.",
    ),
    "music": (
        "The rehearsal is on {day}.",
        "{person} played it to us twice.",
        "The concert will be in {place}.",
        "{person} hummed along.",
    ),
    "sport": (
        "{person} kept the score.",
        "We meet again on {day}.",
        "The changing rooms are behind {place}.",
        "{person} hurt an ankle, but not badly.",
    ),
    "law": (
        "The file is with {person}.",
        "We heard about it on {day}.",
        "The lawyer charges {amount} an hour.",
        "{person} took notes for the others.",
    ),
    "cooking": (
        "{person} came for supper.",
        "We ate in {place}.",
        "The recipe is from {person}.",
        "I shall make it again on {day}.",
    ),
    "health": (
        "{person} has an appointment on {day}.",
        "The leaflet lies in {place}.",
        "{person} asked for a second opinion.",
        "It should be better by {day}.",
    ),
    "workshop": (
        "{person} lent me the tools.",
        "The spare parts are in {place}.",
        "It cost {amount} at the hardware store.",
        "We go on with it on {day}.",
    ),
    "sea": (
        "{person} had the helm.",
        "The wind dropped on {day}.",
        "We anchored off {place}.",
        "The forecast for {day} is better.",
    ),
    "reading": (
        "{person} lent it to me.",
        "We talk about it on {day}.",
        "I read it in {place}.",
        "{person} gave it three stars.",
    ),
}
