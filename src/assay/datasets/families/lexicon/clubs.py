"""Clubs and courses: who comes and goes, what it costs, who leads and where."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["CLUBS"]

CLUBS = Domain(
    name="clubs",
    topics=(
        Topic("choir", "vocal ensemble"),
        Topic("chess club", "circle of board players"),
        Topic("yoga", "stretching hour"),
        Topic("football team", "soccer side"),
        Topic("theatre group", "drama society"),
        Topic("book club", "reading circle"),
        Topic("pottery", "clay workshop"),
        Topic("orchestra", "string ensemble"),
    ),
    events=(
        Event(
            name="joined",
            kin="quit",
            short=("join {t}", "{t} membership"),
            asked=("how do I join {x}", "membership of {x}"),
            plain=("{person} wants to join {x} on {day}.", "At {x} membership is open to all."),
            told=("{person} put a name down for {x}.", "{person} goes along to {x} since {day}."),
        ),
        Event(
            name="quit",
            kin="joined",
            short=("quit {t}", "{t} resignation"),
            asked=("who will quit {x}", "resignation from {x}"),
            plain=(
                "{person} wants to quit {x} on {day}.",
                "A resignation must reach {x} by {day}.",
            ),
            told=(
                "{person} dropped out of {x} on {day}.",
                "{person} has had enough of {x} and stays away.",
            ),
        ),
        Event(
            name="fee",
            kin="donation",
            short=("{t} fee", "{t} dues"),
            asked=("how high is the fee of {x}", "dues of {x}"),
            plain=("The fee of {x} is {amount}.", "At {x} the dues go to {person}."),
            told=("{x} charges {amount} a term.", "For {x} one hands {amount} to {person}."),
        ),
        Event(
            name="donation",
            kin="fee",
            short=("{t} donation", "{t} sponsor"),
            asked=("donation to {x}", "sponsor of {x}"),
            plain=("A donation of {amount} went to {x}.", "{person} is a sponsor and helps {x}."),
            told=(
                "{person} gave {amount} to {x} out of kindness.",
                "A bakery helps {x} out with {amount}.",
            ),
        ),
        Event(
            name="leader",
            kin="venue",
            short=("{t} instructor", "{t} leadership"),
            asked=("who is the instructor of {x}", "leadership of {x}"),
            plain=(
                "The instructor of {x} is {person}.",
                "At {x} the leadership changes on {day}.",
            ),
            told=("{person} takes {x} over on {day}.", "{person} is in charge of {x} now."),
        ),
        Event(
            name="venue",
            kin="leader",
            short=("{t} venue", "{t} location"),
            asked=("what is the venue of {x}", "location of {x}"),
            plain=("The venue of {x} is {place}.", "{person} knows at which location {x} is."),
            told=(
                "From {day} {x} comes together in {place}.",
                "One finds {x} at {place} on {day}.",
            ),
        ),
    ),
    details=(
        "{person} unlocks at seven.",
        "There will be tea afterwards.",
        "The list hangs in {place}.",
        "Bring warm socks and something to write with.",
        "{person} asked who else is coming.",
        "The summer break starts after {day}.",
        "Parking is easiest behind {place}.",
    ),
)
