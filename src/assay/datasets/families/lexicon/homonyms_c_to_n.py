"""Words with several meanings, from cell to nail."""

from assay.datasets.families.lexicon._sense import sense

__all__ = ["HOMONYMS_C_TO_N"]

HOMONYMS_C_TO_N = (
    *sense(
        "cell",
        "health",
        (
            "white blood cell count too low",
            "what does a low cell count in the blood mean",
            "The blood test shows a white cell count below normal.",
            "{person} explained why the cell count of the blood falls after a virus.",
        ),
        (
            "how a skin cell renews itself",
            "lifetime of a skin cell",
            "A skin cell lives for about a month and is then shed.",
            "Each cell at the base of the skin divides and pushes the others up.",
        ),
    ),
    *sense(
        "cell",
        "law",
        (
            "night in a police cell without charge",
            "how long may they hold somebody in a cell",
            "{person} spent the night in a cell and was let go without charge.",
            "Without a judge nobody may be held in a cell beyond the next day.",
        ),
        (
            "size of a prison cell for two",
            "prisoners complain about the crowded cell",
            "The judges found a cell of six square metres too small for two.",
            "Three prisoners shared one cell, and the complaint was upheld.",
        ),
    ),
    *sense(
        "court",
        "law",
        (
            "court ruled on the rent increase",
            "judgment of the court about the tenant",
            "The court held that the rent may not rise this year.",
            "{person} won against the landlord in court.",
        ),
        (
            "witness has to appear in court",
            "summons to court as a witness",
            "{person} must appear in court as a witness.",
            "The court sent a summons for {day}.",
        ),
    ),
    *sense(
        "court",
        "sport",
        (
            "book a tennis court for the evening",
            "free court for doubles",
            "{person} reserved a tennis court for six in the evening.",
            "For doubles the only free court is number four.",
        ),
        (
            "clay court or grass court for the knees",
            "surface of the court is slippery",
            "A clay court is kinder to the knees than concrete.",
            "The lines of the court are slippery in the morning.",
        ),
    ),
    *sense(
        "crane",
        "nature",
        (
            "crane flying south in autumn",
            "call of a crane in migration",
            "High above the fields the first crane called on its way south.",
            "{person} counted each crane that passed until dusk.",
        ),
        (
            "crane nest in the marsh",
            "does a crane return to its nest",
            "In the marsh a crane sits on two eggs.",
            "The same crane came back to the nest a third year.",
        ),
    ),
    *sense(
        "crane",
        "workshop",
        (
            "rent a crane for the roof beams",
            "daily rate of a small crane",
            "A small crane lifts the roof beams on {day}.",
            "{person} rented the crane for {amount} a day.",
        ),
        (
            "crane tipped over on the building site",
            "how much may the crane lift",
            "On soft ground the crane tipped over, load and all.",
            "The plate says that the crane lifts two tons at most.",
        ),
    ),
    *sense(
        "key",
        "music",
        (
            "transpose the song into a lower key",
            "key too high for the altos",
            "{person} wrote the song out in a lower key.",
            "In this key the altos cannot reach the top notes.",
        ),
        (
            "how to modulate to a distant key",
            "change of key before the last chorus",
            "By way of a diminished chord {person} gets to a distant key.",
            "Before the last chorus the key goes up by a semitone.",
        ),
    ),
    *sense(
        "key",
        "workshop",
        (
            "copy of the front door key",
            "where to have a spare key cut",
            "{person} had a second key cut for the front door.",
            "The spare key to the shed hangs in {place}.",
        ),
        (
            "key broke off in the lock",
            "get a broken key out of the cylinder",
            "The key broke off and half of it is in the lock.",
            "{person} drew the broken key out with a pair of tweezers.",
        ),
    ),
    *sense(
        "match",
        "sport",
        (
            "who won the match in extra time",
            "late goal decided the match",
            "The match was decided by a goal in extra time.",
            "{person} scored twice and won us the match.",
        ),
        (
            "match abandoned because of fog",
            "replay of the match that was broken off",
            "In the fog nobody saw the ball, and the match was abandoned.",
            "The match is to be replayed on {day}.",
        ),
    ),
    *sense(
        "match",
        "workshop",
        (
            "light a damp match",
            "match will not strike on the box",
            "A damp match will not strike; dry it in your hair first.",
            "{person} rubbed the match on glass, since the box was worn.",
        ),
        (
            "fire started by a match in the shed",
            "who dropped a burning match",
            "The fire in the shed began with a match on straw.",
            "{person} trod out the burning match in time.",
        ),
    ),
    *sense(
        "nail",
        "workshop",
        (
            "pull a nail out of hard wood",
            "bent nail without a head",
            "With a block under the hammer the nail came out of the oak.",
            "{person} drew the headless nail with pliers.",
        ),
        (
            "which nail for roofing felt",
            "galvanised nail against rust",
            "Roofing felt wants a nail with a wide head.",
            "Outside, only a galvanised nail does not rust.",
        ),
    ),
    *sense(
        "nail",
        "health",
        (
            "ingrown nail on the big toe",
            "toe inflamed beside the nail",
            "The nail of the big toe has grown in, and the toe is red.",
            "{person} bathes the toe until the nail is free.",
        ),
        (
            "white spots on a finger nail",
            "why is the nail brittle",
            "White spots on a nail are old knocks, not a lack of calcium.",
            "{person} rubs oil on each brittle nail at night.",
        ),
    ),
)
