"""Getting around: what rides, when it comes, and what it is like inside."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["TRAVEL"]

TRAVEL = Domain(
    name="travel",
    topics=(
        Topic("train", "railway service"),
        Topic("flight", "morning plane"),
        Topic("ferry", "island boat"),
        Topic("bus", "motor coach"),
        Topic("taxi", "minicab"),
        Topic("tram", "streetcar"),
        Topic("underground", "metro"),
        Topic("cable car", "gondola"),
    ),
    events=(
        Event(
            name="late",
            kin="cancelled",
            short=("{t} delay", "late {t}"),
            asked=("how long was the delay of {x}", "why was {x} late"),
            plain=("The delay of {x} was an hour on {day}.", "{x} was late again on {day}."),
            told=(
                "{x} came an hour behind schedule on {day}.",
                "On {day} we waited forty minutes for {x} in the cold.",
            ),
        ),
        Event(
            name="cancelled",
            kin="late",
            short=("{t} cancelled", "{t} strike"),
            asked=("why was {x} cancelled", "is there a strike on {x}"),
            plain=("{x} was cancelled on {day}.", "A strike stopped {x} on {day}."),
            told=(
                "{x} did not run at all on {day}.",
                "They called {x} off on {day}.",
            ),
        ),
        Event(
            name="fare",
            kin="booked",
            short=("{t} fare", "{t} price"),
            asked=("what is the fare for {x}", "price of {x}"),
            plain=(
                "The fare for {x} is now {amount}.",
                "For {x} the price went up to {amount}.",
            ),
            told=("{x} costs {amount} each way.", "{person} paid {amount} to go by {x}."),
        ),
        Event(
            name="booked",
            kin="fare",
            short=("{t} booking", "{t} reservation"),
            asked=("booking for {x}", "reservation for {x}"),
            plain=(
                "Our booking, by {x}, lies in {place}.",
                "{person} has a reservation with {x} on {day}.",
            ),
            told=(
                "{person} had two places kept for us on {x}.",
                "Our seats on {x} are numbers 14 and 15, {person} says.",
            ),
        ),
        Event(
            name="crowded",
            kin="empty",
            short=("crowded {t}", "{t} overcrowding"),
            asked=("when is {x} crowded", "overcrowding on {x}"),
            plain=("{x} was crowded on {day}.", "With {x} the overcrowding is worst on {day}."),
            told=(
                "We stood all the way on {x}, packed like sardines.",
                "On {day} there was no room to sit on {x}.",
            ),
        ),
        Event(
            name="empty",
            kin="crowded",
            short=("empty {t}", "{t} unoccupied"),
            asked=("when is {x} empty", "is {x} ever unoccupied"),
            plain=("{x} was empty on {day}.", "{x} was unoccupied on {day}."),
            told=(
                "On {day} I was the only person on {x}.",
                "Hardly anybody takes {x} on {day}; one can stretch out.",
            ),
        ),
    ),
    details=(
        "{person} picks us up at {place}.",
        "The timetable hangs in {place}.",
        "We should pack the evening before.",
        "{person} prefers to walk.",
        "On the way back we met {person}.",
        "The trip as a whole was worth it.",
        "Next time we go by way of the coast.",
    ),
)
