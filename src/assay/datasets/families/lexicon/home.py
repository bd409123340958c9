"""Household: things that break, are bought, and disappear."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["HOME"]

HOME = Domain(
    name="home",
    topics=(
        Topic("kettle", "hot-water jug"),
        Topic("fridge", "icebox"),
        Topic("vacuum cleaner", "hoover"),
        Topic("television", "flatscreen"),
        Topic("bicycle", "two-wheeler"),
        Topic("phone", "handset"),
        Topic("sofa", "settee"),
        Topic("oven", "cooker"),
    ),
    events=(
        Event(
            name="broken",
            kin="repaired",
            short=("broken {t}", "{t} defect"),
            asked=("why is {x} broken", "what is the defect of {x}"),
            plain=("{x} is broken since {day}.", "{x} has a defect that {person} saw on {day}."),
            told=("{x} gave up the ghost on {day}.", "Since {day} {x} refuses to work."),
        ),
        Event(
            name="repaired",
            kin="broken",
            short=("repair {t}", "{t} fixed"),
            asked=("who can repair {x}", "when was {x} fixed"),
            plain=("{person} came to repair {x} on {day}.", "{x} was fixed by {person} on {day}."),
            told=("{person} mended {x} on {day}.", "On {day} {person} put {x} right again."),
        ),
        Event(
            name="bought",
            kin="returned",
            short=("buy {t}", "{t} purchase"),
            asked=("where did we buy {x}", "purchase of {x}"),
            plain=("We went to buy {x} on {day}.", "With {x} the purchase came to {amount}."),
            told=("We paid {amount} for {x}.", "{person} got {x} for {amount} in the sales."),
        ),
        Event(
            name="returned",
            kin="bought",
            short=("refund {t}", "{t} returned"),
            asked=("did they refund {x}", "why was {x} returned"),
            plain=("They will refund {amount} for {x}.", "{x} was returned on {day}."),
            told=(
                "{person} took {x} back to the shop and has {amount} in hand again.",
                "The shop gave us our money again for {x}, all {amount}.",
            ),
        ),
        Event(
            name="stolen",
            kin="insured",
            short=("stolen {t}", "{t} theft"),
            asked=("when was {x} stolen", "the theft of {x}"),
            plain=("{x} was stolen on {day}.", "{person} reported a theft on {day}: {x}."),
            told=("Somebody made off with {x} on {day}.", "Burglars carried {x} away on {day}."),
        ),
        Event(
            name="insured",
            kin="stolen",
            short=("{t} insurance", "insured {t}"),
            asked=("is there an insurance for {x}", "for how much is {x} insured"),
            plain=("The insurance for {x} runs until {day}.", "{x} is insured for {amount}."),
            told=(
                "Should anything happen to {x}, the policy comes up with {amount}.",
                "Our cover now includes {x}, up to {amount}.",
            ),
        ),
    ),
    details=(
        "The papers are in {place}.",
        "{person} wants to hear about it before {day}.",
        "The neighbours had the same trouble last year.",
        "I put a reminder in the calendar for {day}.",
        "{person} thinks that we should wait and see.",
        "The serial number stands on a sticker underneath.",
        "We will talk it over at breakfast.",
    ),
)
