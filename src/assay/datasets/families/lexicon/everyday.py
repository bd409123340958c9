"""Every matter of the everyday domains, in a fixed order."""

from assay.datasets.families.lexicon.animals import ANIMALS
from assay.datasets.families.lexicon.building import BUILDING
from assay.datasets.families.lexicon.clubs import CLUBS
from assay.datasets.families.lexicon.home import HOME
from assay.datasets.families.lexicon.kitchen import KITCHEN
from assay.datasets.families.lexicon.matter import Domain, Matter
from assay.datasets.families.lexicon.office import OFFICE
from assay.datasets.families.lexicon.services import SERVICES
from assay.datasets.families.lexicon.travel import TRAVEL

__all__ = ["EVERYDAY"]

DOMAINS = (ANIMALS, BUILDING, CLUBS, HOME, KITCHEN, OFFICE, SERVICES, TRAVEL)


def _matters(domains: tuple[Domain, ...]) -> tuple[Matter, ...]:
    return tuple(
        Matter(domain, topic, event)
        for domain in domains
        for topic in domain.topics
        for event in domain.events
    )


EVERYDAY = _matters(DOMAINS)
