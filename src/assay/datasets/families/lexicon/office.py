"""Office work: undertakings that are put off, decided on, and cut."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["OFFICE"]

OFFICE = Domain(
    name="office",
    topics=(
        Topic("meeting", "get-together"),
        Topic("report", "write-up"),
        Topic("budget", "spending plan"),
        Topic("contract", "supplier agreement"),
        Topic("presentation", "slide show"),
        Topic("survey", "questionnaire"),
        Topic("newsletter", "monthly circular"),
        Topic("training", "staff course"),
    ),
    events=(
        Event(
            name="postponed",
            kin="finished",
            short=("{t} postponed", "{t} deferral"),
            asked=("until when is {x} postponed", "deferral of {x}"),
            plain=("{x} is postponed to {day}.", "{person} wants a deferral until {day} for {x}."),
            told=("{x} has been put off until {day}.", "{person} moved {x} back to {day}."),
        ),
        Event(
            name="finished",
            kin="postponed",
            short=("{t} finished", "{t} completion"),
            asked=("who finished {x}", "completion of {x}"),
            plain=("{person} finished {x} on {day}.", "For {x} the completion is set for {day}."),
            told=("{person} wrapped up {x} on {day}.", "{x} has been ready since {day}."),
        ),
        Event(
            name="approved",
            kin="rejected",
            short=("{t} approval", "{t} accepted"),
            asked=("approval for {x}", "was {x} accepted"),
            plain=("{person} gave the approval that {x} needed.", "{x} was accepted on {day}."),
            told=("{x} got the green light on {day}.", "{person} said yes to {x} on {day}."),
        ),
        Event(
            name="rejected",
            kin="approved",
            short=("{t} rejected", "{t} veto"),
            asked=("why was {x} rejected", "veto on {x}"),
            plain=("{x} was rejected on {day}.", "With a veto {person} stopped {x} on {day}."),
            told=("{person} turned down {x} on {day}.", "{x} got a clear no from {person}."),
        ),
        Event(
            name="lengthy",
            kin="shortened",
            short=("lengthy {t}", "{t} too long"),
            asked=("is {x} lengthy", "is {x} too long"),
            plain=("{person} calls {x} lengthy.", "{x} is too long for {person}."),
            told=("{x} goes on and on, says {person}.", "Nobody sits through {x} to the end."),
        ),
        Event(
            name="shortened",
            kin="lengthy",
            short=("shorten {t}", "condensed {t}"),
            asked=("who can shorten {x}", "where is the condensed version of {x}"),
            plain=(
                "{person} will shorten {x} by {day}.",
                "A condensed version of {x} is in {place}.",
            ),
            told=("{person} cut {x} by half on {day}.", "{x} was trimmed to the bone on {day}."),
        ),
    ),
    details=(
        "{person} takes the minutes.",
        "We sat in {place} this time.",
        "A copy goes to {person} as well.",
        "The others will hear of it on {day}.",
        "{person} brought biscuits.",
        "Follow up with {person} next week.",
        "I promised to look into the figures.",
    ),
)
