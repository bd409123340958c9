"""Pets and farm animals: their health, their appetite, and where they went."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["ANIMALS"]

ANIMALS = Domain(
    name="animals",
    topics=(
        Topic("dog", "hound"),
        Topic("cat", "tabby"),
        Topic("rabbit", "bunny"),
        Topic("hen", "pullet"),
        Topic("horse", "mare"),
        Topic("parrot", "cockatoo"),
        Topic("hamster", "little rodent"),
        Topic("tortoise", "old turtle"),
    ),
    events=(
        Event(
            name="ill",
            kin="treated",
            short=("sick {t}", "{t} illness"),
            asked=("is {x} sick", "illness of {x}"),
            plain=("{x} looks sick since {day}.", "An illness keeps {x} in since {day}."),
            told=("{x} has been poorly since {day}.", "Since {day} {x} is under the weather."),
        ),
        Event(
            name="treated",
            kin="ill",
            short=("{t} veterinarian", "{t} medicine"),
            asked=("what did the veterinarian say about {x}", "which medicine does {x} need"),
            plain=(
                "The veterinarian looks at {x} on {day}.",
                "{person} gives {x} its medicine twice a day.",
            ),
            told=(
                "Doctor {person} gave {x} an injection on {day}.",
                "{x} takes drops against the pain, says {person}.",
            ),
        ),
        Event(
            name="lost",
            kin="found",
            short=("lost {t}", "missing {t}"),
            asked=("how was {x} lost", "is {x} missing"),
            plain=("{x} was lost near {place}.", "{x} is missing since {day}."),
            told=(
                "{x} ran off on {day}.",
                "{x} slipped away behind {place} and did not come home.",
            ),
        ),
        Event(
            name="found",
            kin="lost",
            short=("found {t}", "{t} discovered"),
            asked=("who found {x}", "where was {x} discovered"),
            plain=("{person} found {x} near {place}.", "{x} was discovered in {place}."),
            told=(
                "{person} spotted {x} behind {place} and carried it home.",
                "{x} turned up at {place} on {day}, hungry but well.",
            ),
        ),
        Event(
            name="fed",
            kin="heavy",
            short=("{t} food", "feed {t}"),
            asked=("which food for {x}", "how often should I feed {x}"),
            plain=("The food for {x} is in {place}.", "{person} will feed {x} until {day}."),
            told=(
                "{x} eats twice a day, says {person}, and grain only on {day}.",
                "{person} fills the bowl of {x} every morning.",
            ),
        ),
        Event(
            name="heavy",
            kin="fed",
            short=("overweight {t}", "{t} diet"),
            asked=("is {x} overweight", "which diet suits {x}"),
            plain=("{x} is overweight, says {person}.", "The diet of {x} starts on {day}."),
            told=(
                "{x} has grown too fat to jump on {place}.",
                "{person} says that {x} ought to slim down by {day}.",
            ),
        ),
    ),
    details=(
        "{person} looks after the stable until {day}.",
        "The children drew a picture of it.",
        "I wrote the number of the practice in the calendar.",
        "{person} has had the same with theirs.",
        "We keep the carrier in {place}.",
        "Let us ask {person}, who grew up on a farm.",
        "It rained hard that evening.",
    ),
)
