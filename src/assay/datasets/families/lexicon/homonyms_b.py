"""Words with several meanings, from bank to bug."""

from assay.datasets.families.lexicon._sense import sense

__all__ = ["HOMONYMS_B"]

HOMONYMS_B = (
    *sense(
        "bank",
        "money",
        (
            "bank loan interest rate for the house",
            "mortgage offer from the bank",
            "The bank offers a mortgage at a fixed rate for ten years.",
            "{person} compared the loan of our bank with two others.",
        ),
        (
            "open an account for a child at the bank",
            "bank account without monthly charges",
            "{person} opened an account for the children at the bank.",
            "The bank promised an account without monthly charges.",
        ),
    ),
    *sense(
        "bank",
        "nature",
        (
            "river bank eroded by the flood",
            "high water washed away the bank",
            "The flood ate a metre out of the river bank.",
            "Where the bank was washed away the willows lean over the water.",
        ),
        (
            "picnic spot on the bank of the river",
            "quiet bank for fishing and swimming",
            "We found a flat bank by the river and spread the blanket.",
            "From the shady bank one can fish and swim.",
        ),
    ),
    *sense(
        "bat",
        "sport",
        (
            "grip of the cricket bat worn",
            "new rubber grip for a bat",
            "The grip of the cricket bat is worn through.",
            "{person} put fresh rubber on the handle of the bat.",
        ),
        (
            "how heavy should a bat be for a child",
            "lighter bat for juniors",
            "For juniors a bat under a kilogram is heavy enough.",
            "{person} chose a lighter bat for the youngest.",
        ),
    ),
    *sense(
        "bat",
        "nature",
        (
            "bat flew into the bedroom at night",
            "get a bat out of the house unharmed",
            "A bat flew in at dusk; we opened all windows and sat still.",
            "{person} carried the bat outside in a shoe box.",
        ),
        (
            "roost box for a bat",
            "where does a bat sleep in winter",
            "The roost box for the bat hangs under the eaves, facing east.",
            "In winter a bat sleeps in old mine shafts.",
        ),
    ),
    *sense(
        "bow",
        "music",
        (
            "rehair a violin bow",
            "how often does a bow need new hair",
            "The violin maker put new hair on the bow.",
            "With two hours a day the bow wants fresh hair each year.",
        ),
        (
            "rosin for the cello bow",
            "bow slides without grip on the strings",
            "With dark rosin the cello bow grips at once.",
            "{person} cleaned the strings, and the bow no longer slides.",
        ),
    ),
    *sense(
        "bow",
        "sea",
        (
            "wave swept the bow",
            "bow dips in a head sea",
            "A green wave came over the bow and filled the cockpit.",
            "In a head sea the bow dips, so {person} eased off.",
        ),
        (
            "damage to the bow after hitting the quay",
            "repair the hull at the bow",
            "We touched the quay, and the bow has a crack above the waterline.",
            "{person} laid three layers of glass over the bow.",
        ),
    ),
    *sense(
        "branch",
        "software",
        (
            "merge a branch that has conflicts",
            "branch diverged and git refuses to merge",
            "Merging the feature branch gave conflicts in two files.",
            "The branch of {person} had drifted from main, so git would not merge it.",
        ),
        (
            "delete an old branch on the remote repository",
            "remote branch still listed after the pull request",
            "{person} deleted the stale branch from the remote repository.",
            "After the pull request the branch was pruned from origin.",
        ),
    ),
    *sense(
        "branch",
        "nature",
        (
            "saw off a branch of the apple tree in winter",
            "when to cut a low branch of a fruit tree",
            "{person} sawed off the lowest branch of the apple tree while it was bare.",
            "A branch of the pear tree is best cut before the sap rises.",
        ),
        (
            "branch fell on the path in the storm",
            "storm tore a branch from the oak",
            "The storm brought a heavy branch down across the path.",
            "The oak lost a branch to the gale on {day}.",
        ),
    ),
    *sense(
        "branch",
        "money",
        (
            "opening hours of the savings branch in town",
            "is the branch with the cash desk open on Saturday",
            "The branch on the market square opens its cash desk at nine.",
            "On Saturday the savings branch in town is shut after noon.",
        ),
        (
            "our branch with the safe deposit boxes closes down",
            "which branch takes over our accounts",
            "Our branch closes for good, and the safe deposit boxes move.",
            "From {day} another branch looks after our accounts.",
        ),
    ),
    *sense(
        "bug",
        "software",
        (
            "bug when two users save at the same time",
            "race condition bug in saving",
            "The bug shows when two users press save within a second.",
            "{person} traced the bug to a lock that was taken too late.",
        ),
        (
            "who fixes the bug in the date parser",
            "bug with leap years",
            "The date parser has a bug with the 29th of February.",
            "{person} wrote a test for the leap year bug.",
        ),
    ),
    *sense(
        "bug",
        "nature",
        (
            "red bug on the lily leaves",
            "which bug eats lilies",
            "A bright red bug sits on the lilies and eats them bare.",
            "{person} knows the bug: it is a lily beetle.",
        ),
        (
            "shield bug in the bedroom in autumn",
            "smelly green bug on the curtain",
            "In autumn the green shield bug comes indoors to winter.",
            "The bug on the curtain smells when one touches it.",
        ),
    ),
)
