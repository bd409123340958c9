"""How notes are worded: people, days and places, sentences filled with them, small talk."""

from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families.lexicon.matter import Matter

__all__ = ["PEOPLE", "capitalised", "chatter", "fill", "say"]

PEOPLE = (
    *("Ada", "Anaïs", "Bilal", "Björn", "Carmen", "Dmitri", "Elif", "Farid", "Greta", "Hana"),
    *("Ines", "Jonas", "Kofi", "Leila", "Łukasz", "Mei", "Nadia", "Oskar", "Priya", "Quentin"),
    *("Rosa", "Sven", "Tamar", "Umar", "Vera", "Wanda", "Xavier", "Yuki", "Zoë", "Noor"),
)
MONTHS = ("January", "March", "April", "May", "June", "August", "October", "November")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PLACES = (
    *("the library", "the old mill", "the town hall", "the corner shop", "the church hall"),
    *("the greenhouse", "the boathouse", "the school", "the station kiosk", "the museum"),
    *("the harbour office", "the bakery", "the playground", "the youth hostel"),
)
CHATTER = (
    "{person} called on {day} and sends greetings.",
    "It rained until noon, then the sun came out over {place}.",
    "Ran into {person} at {place}; we must have dinner soon.",
    "{person} and {other} are moving to the coast in {month}.",
    "Must water the plants before {day}.",
    "The walk past {place} took an hour and a half.",
    "{person} lent me an umbrella, which I ought to give back.",
    "Slept badly, woke at five, read for an hour.",
    "Birthday of {person} on {day}: flowers, or a jar of honey.",
    "{other} showed me photographs of {place} as it was in the old days.",
    "A letter from {person} came on {day}, four sheets.",
    "The lights were out in {place} for an hour on {day}.",
    "Told {person} the story about the geese; {other} laughed most.",
    "On {day} the whole street smelled of lilac.",
    "{person} is learning Portuguese and practises on {other}.",
    "Foggy morning, one could not see {place} from the bridge.",
    "Counted the coins in the jar with {person}: {amount}.",
    "{person} asked after my sister, who is well.",
    "The scarf of {other} lay behind {place}.",
    "Nothing to add for {day}, a quiet day.",
)


def say(matter: Matter, chance: SeededRandom, *, words: str) -> str:
    """Put a matter in one sentence: ``words`` are "plain" (those of queries), "told" or "any"."""
    plain = words == "plain" or (words == "any" and chance.happens(0.5))
    topic = matter.topic.asked if plain else matter.topic.told
    return fill(chance.pick(matter.event.plain if plain else matter.event.told), chance, topic)


def chatter(chance: SeededRandom) -> str:
    """Write a sentence that is about none of the matters."""
    return fill(chance.pick(CHATTER), chance)


def fill(sentence: str, chance: SeededRandom, topic: str = "", **words: str) -> str:
    """Fill a sentence with a topic and with people, days, places and amounts by chance."""
    month = chance.pick(MONTHS)
    day = f"{1 + chance.below(28)} {month}" if chance.happens(0.6) else chance.pick(WEEKDAYS)
    first = chance.below(len(PEOPLE))
    filled = sentence.format(
        x=f"the {topic}",
        t=topic,
        person=PEOPLE[first],
        other=PEOPLE[(first + 1 + chance.below(len(PEOPLE) - 1)) % len(PEOPLE)],
        month=month,
        day=day,
        place=chance.pick(PLACES),
        amount=f"{11 + chance.below(480)} euros",
        **words,
    )
    return capitalised(filled)


def capitalised(text: str) -> str:
    """Start with a capital letter and leave the rest as it is."""
    return text[:1].upper() + text[1:]
