"""What a lexicon is made of: things, what happens to them, and how each of both is said."""

from dataclasses import dataclass

__all__ = ["Domain", "DomainTopic", "Event", "Matter"]


@dataclass(frozen=True, slots=True)
class DomainTopic:
    """A thing by two names: the word of the person who asks, and that of the one who told."""

    asked: str
    told: str


@dataclass(frozen=True, slots=True)
class Event:
    """What can happen to each topic of a domain.

    ``{x}`` is a topic with its article, ``{t}`` without. ``short`` and ``asked`` are queries,
    ``plain`` says it in the words of the queries, ``told`` in others. ``kin`` names the event that
    a reader of this one might want to know of too.
    """

    name: str
    kin: str
    short: tuple[str, ...]
    asked: tuple[str, ...]
    plain: tuple[str, ...]
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """Topics, events that fit each of them, and sentences that fit all of their notes."""

    name: str
    topics: tuple[DomainTopic, ...]
    events: tuple[Event, ...]
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Matter:
    """What one note is about: an event that befell a topic."""

    domain: Domain
    topic: DomainTopic
    event: Event

    def __hash__(self) -> int:
        # The names tell matters apart; hashing every sentence of a domain would take long.
        return hash((self.domain.name, self.topic.asked, self.event.name))

    @property
    def kin(self) -> "Matter":
        """The matter nearest to this one: the same topic, the related event."""
        (event,) = (event for event in self.domain.events if event.name == self.event.kin)
        return Matter(self.domain, self.topic, event)
