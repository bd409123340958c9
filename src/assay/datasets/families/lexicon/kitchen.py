"""Cooking: dishes that fail, and how they keep."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["KITCHEN"]

KITCHEN = Domain(
    name="kitchen",
    topics=(
        Topic("soup", "clear broth"),
        Topic("bread", "rye loaf"),
        Topic("cake", "lemon sponge"),
        Topic("stew", "beef casserole"),
        Topic("sauce", "brown gravy"),
        Topic("pudding", "sweet custard"),
        Topic("pie", "apple tart"),
        Topic("pasta", "tray of macaroni"),
    ),
    events=(
        Event(
            name="burnt",
            kin="raw",
            short=("burnt {t}", "{t} scorched"),
            asked=("why was {x} burnt", "is {x} scorched"),
            plain=("{x} was burnt on {day}.", "{person} scorched {x} on {day}."),
            told=("{x} came out black as coal on {day}.", "{person} charred {x} on {day}."),
        ),
        Event(
            name="raw",
            kin="burnt",
            short=("raw {t}", "undercooked {t}"),
            asked=("why was {x} raw", "is {x} undercooked"),
            plain=("{x} was still raw on {day}.", "{person} served {x} undercooked."),
            told=(
                "{x} needed another half hour in the heat.",
                "In the middle {x} had not set, said {person}.",
            ),
        ),
        Event(
            name="salty",
            kin="bland",
            short=("salty {t}", "{t} oversalted"),
            asked=("what if {x} is salty", "who oversalted {x}"),
            plain=("{x} was salty, said {person}.", "{person} oversalted {x} on {day}."),
            told=(
                "Whoever seasoned {x} had a heavy hand.",
                "{x} tasted of sea water, said {person}.",
            ),
        ),
        Event(
            name="bland",
            kin="salty",
            short=("bland {t}", "insipid {t}"),
            asked=("why is {x} bland", "is {x} insipid"),
            plain=("{x} was bland, said {person}.", "{person} found {x} insipid."),
            told=(
                "{x} had no flavour at all, said {person}.",
                "{x} wanted pepper and a squeeze of lime, said {person}.",
            ),
        ),
        Event(
            name="frozen",
            kin="thawed",
            short=("freeze {t}", "frozen {t}"),
            asked=("can I freeze {x}", "can {x} be frozen"),
            plain=("{person} will freeze {x} on {day}.", "{x} is frozen since {day}."),
            told=(
                "{x} keeps for two months at minus eighteen.",
                "{person} put {x} on ice on {day}.",
            ),
        ),
        Event(
            name="thawed",
            kin="frozen",
            short=("thaw {t}", "defrost {t}"),
            asked=("how do I thaw {x}", "when should one defrost {x}"),
            plain=("{person} will thaw {x} on {day}.", "Defrost {x} on {day}."),
            told=(
                "Let {x} warm up overnight on the worktop.",
                "{person} took {x} out of the cold on {day}.",
            ),
        ),
    ),
    details=(
        "{person} had two helpings all the same.",
        "Next time I follow my grandmother.",
        "The bowl is still at {place}.",
        "We were seven at table.",
        "{person} wrote it on the back of an envelope.",
        "It goes well with a green leaf or two.",
        "Everyone stayed until midnight.",
    ),
)
