"""Words with several meanings, from pitch to stock."""

from assay.datasets.families.lexicon._sense import sense

__all__ = ["HOMONYMS_P_TO_S"]

HOMONYMS_P_TO_S = (
    *sense(
        "pitch",
        "music",
        (
            "singers go flat, how to hold the pitch",
            "pitch drops during long pieces",
            "Without the organ our pitch sinks by a quarter tone.",
            "{person} gives the singers the pitch again after the second verse.",
        ),
        (
            "perfect pitch in children",
            "can absolute pitch be learned",
            "{person} names any note at once: absolute pitch.",
            "Children who start early more often have perfect pitch.",
        ),
    ),
    *sense(
        "pitch",
        "sport",
        (
            "football pitch under water",
            "pitch not playable after the rain",
            "The pitch was a lake, so the referee sent us home.",
            "After the rain the groundsman closed the pitch.",
        ),
        (
            "artificial turf for the pitch",
            "what does a new surface for the pitch cost",
            "The club wants artificial turf on the pitch by autumn.",
            "The new surface of the pitch costs {amount} a season.",
        ),
    ),
    *sense(
        "plot",
        "reading",
        (
            "novel with a plot told backwards",
            "plot of the thriller has a hole",
            "The plot of the novel runs from the funeral back to the wedding.",
            "In the thriller the plot has a hole: who locked the window?",
        ),
        (
            "summary of the plot for the reading group",
            "retell the plot in three sentences",
            "{person} wrote the plot down in three sentences for the group.",
            "Without giving the end away, the plot is about two sisters.",
        ),
    ),
    *sense(
        "plot",
        "nature",
        (
            "waiting list for an allotment plot",
            "get a garden plot from the council",
            "{person} is ninth on the list for a plot at the allotments.",
            "The council hands out each garden plot in March.",
        ),
        (
            "dig over a plot full of couch grass",
            "weeds took over the plot",
            "The plot is full of couch grass and must be dug over.",
            "{person} covered the plot with cardboard against the weeds.",
        ),
    ),
    *sense(
        "port",
        "software",
        (
            "port already in use when the server starts",
            "find the process that listens on a port",
            "The server would not start: another process had the port.",
            "{person} looked up who listens on the port and stopped it.",
        ),
        (
            "open a port in the router",
            "forward a port to the test machine",
            "{person} forwarded the port to the test machine.",
            "The router keeps every port shut unless we open it.",
        ),
    ),
    *sense(
        "port",
        "sea",
        (
            "enter the port at night by the lights",
            "harbour lights at the port entrance",
            "We entered the port by its two lights, red and green.",
            "{person} would not make for the port in the dark.",
        ),
        (
            "mooring charges in the port",
            "berth for a week in port",
            "A berth in the port is {amount} a night.",
            "The port gives a week for the price of five nights.",
        ),
    ),
    *sense(
        "port",
        "cooking",
        (
            "reduce port for a dark glaze",
            "port wine with roast duck",
            "{person} boiled the port down to a syrup for the duck.",
            "A glass of port makes the glaze dark.",
        ),
        (
            "how long does an opened bottle of port keep",
            "port after it has been opened",
            "Once opened, the port is good for a month in the cold.",
            "The rest of the port went flat by {day}.",
        ),
    ),
    *sense(
        "scale",
        "music",
        (
            "fingering for the minor scale",
            "practise a scale in thirds",
            "{person} practises the minor scale with the thumb under.",
            "The scale in thirds is for the left hand alone.",
        ),
        (
            "blues scale for improvising",
            "which scale over a dominant chord",
            "Over the dominant chord {person} plays the blues scale.",
            "To improvise, start from a scale of five notes.",
        ),
    ),
    *sense(
        "scale",
        "cooking",
        (
            "kitchen scale shows the wrong weight",
            "calibrate the kitchen scale",
            "The scale adds eleven grams to whatever flour I weigh.",
            "{person} checked the kitchen scale with a bag of sugar.",
        ),
        (
            "battery of the digital scale is empty",
            "scale for flour that needs no battery",
            "The digital scale went dark while I weighed the butter.",
            "{person} swears by an old balance scale that needs no battery.",
        ),
    ),
    *sense(
        "shell",
        "software",
        (
            "shell script stops at the first error",
            "exit codes in a shell pipeline",
            "The shell script now stops at the first failed command.",
            "In a shell pipeline only the last exit code counts.",
        ),
        (
            "switch the default login shell",
            "shell history shared between windows",
            "{person} made zsh the login shell on all machines.",
            "The history of the shell is now one for all windows.",
        ),
    ),
    *sense(
        "shell",
        "sea",
        (
            "which animal lived in the spiral shell from the beach",
            "identify a shell found at low tide",
            "The spiral shell from the beach belonged to a whelk.",
            "{person} found a razor clam shell at low tide.",
        ),
        (
            "hermit crab changes its shell",
            "crab without a shell",
            "The hermit crab left its shell for a larger one.",
            "For a minute the crab sat naked beside the old shell.",
        ),
    ),
    *sense(
        "spring",
        "nature",
        (
            "which bulbs flower first in spring",
            "early spring blossoms in the park",
            "Snowdrops and crocuses are out, so spring has begun.",
            "The first blossoms of spring stood by the pond on {day}.",
        ),
        (
            "late frost in spring killed the buds",
            "cold spring without cherries",
            "A night of frost in spring took all the buds.",
            "After such a cold spring there will be no cherries.",
        ),
    ),
    *sense(
        "spring",
        "workshop",
        (
            "coil spring of the garage gate snapped",
            "replace a spring under tension",
            "The coil spring snapped, and the gate fell shut.",
            "{person} fitted another spring, which takes two people because of the tension.",
        ),
        (
            "mattress spring squeaks",
            "oil a squeaky spring of the armchair",
            "A spring in the mattress squeaks whenever one turns over.",
            "A drop of oil silenced the spring of the armchair.",
        ),
    ),
    *sense(
        "stock",
        "money",
        (
            "stock fell after the annual figures",
            "sell the stock at a loss",
            "The stock lost a tenth when the annual figures came.",
            "{person} sold the stock at a loss on {day}.",
        ),
        (
            "dividend of the stock",
            "when does the stock pay out",
            "The stock pays its dividend in May.",
            "For each stock we got {amount} of the profits.",
        ),
    ),
    *sense(
        "stock",
        "cooking",
        (
            "make stock from bones",
            "how long to simmer stock",
            "The bones give a good stock after four hours.",
            "{person} lets the stock simmer, never boil.",
        ),
        (
            "clear a cloudy stock with egg white",
            "stock turned cloudy",
            "Egg white takes the cloud out of the stock.",
            "{person} strained the cloudy stock through linen.",
        ),
    ),
)
