"""A house and its parts: wet, painted, measured."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["BUILDING"]

BUILDING = Domain(
    name="building",
    topics=(
        Topic("window", "double glazing"),
        Topic("door", "rear entrance"),
        Topic("wall", "plaster partition"),
        Topic("floor", "oak boarding"),
        Topic("attic", "loft"),
        Topic("cellar", "basement"),
        Topic("fence", "wooden railing"),
        Topic("garage", "carport"),
    ),
    events=(
        Event(
            name="damp",
            kin="dried",
            short=("damp {t}", "{t} leak"),
            asked=("why is {x} damp", "leak in {x}"),
            plain=("{x} is damp since {day}.", "There is a leak somewhere in {x}, says {person}."),
            told=("Water gets through {x} when it rains.", "{x} has been wet since {day}."),
        ),
        Event(
            name="dried",
            kin="damp",
            short=("dry {t}", "dehumidify {t}"),
            asked=("how do we dry {x}", "who can dehumidify {x}"),
            plain=("{person} tries to dry {x} until {day}.", "We dehumidify {x} until {day}."),
            told=(
                "With a fan the moisture left {x} by {day}.",
                "{person} set up hot air blowers, and {x} is parched by now.",
            ),
        ),
        Event(
            name="painted",
            kin="scratched",
            short=("paint {t}", "{t} colour"),
            asked=("who will paint {x}", "which colour for {x}"),
            plain=("{person} will paint {x} on {day}.", "The colour of {x} is to be blue."),
            told=(
                "{x} got two coats of blue on {day}.",
                "{person} brushed varnish on {x} on {day}.",
            ),
        ),
        Event(
            name="scratched",
            kin="painted",
            short=("scratched {t}", "{t} damage"),
            asked=("who scratched {x}", "damage to {x}"),
            plain=("{person} scratched {x} on {day}.", "Damage of {amount} was done to {x}."),
            told=(
                "The movers left ugly marks on {x}.",
                "Since {day} {x} has a dent as wide as a hand.",
            ),
        ),
        Event(
            name="measured",
            kin="replaced",
            short=("{t} dimensions", "measure {t}"),
            asked=("dimensions of {x}", "did anyone measure {x}"),
            plain=("For {x} the dimensions are noted in {place}.", "{person} came to measure {x}."),
            told=(
                "{x} is 182 centimetres across, says {person}.",
                "{person} held the tape along {x} and wrote 240 by 90.",
            ),
        ),
        Event(
            name="replaced",
            kin="measured",
            short=("replace {t}", "{t} renewal"),
            asked=("who will replace {x}", "renewal of {x}"),
            plain=("{person} will replace {x} on {day}.", "On {day} the renewal begins with {x}."),
            told=(
                "{person} tore {x} out and put in a modern one.",
                "In place of {x} we get a different one on {day}.",
            ),
        ),
    ),
    details=(
        "{person} sends an estimate by {day}.",
        "The ladder is still behind {place}.",
        "The landlord has been told.",
        "We live with it until summer.",
        "{person} knows a good carpenter.",
        "Photographs are in the shared folder.",
        "The street was closed that morning.",
    ),
)
