"""Running software: services that slow down, fall over, and are attacked."""

from assay.datasets.families.lexicon.matter import Domain, Event, Topic

__all__ = ["SERVICES"]

SERVICES = Domain(
    name="services",
    topics=(
        Topic("login page", "sign-in screen"),
        Topic("database", "customer records server"),
        Topic("website", "landing site"),
        Topic("payment gateway", "checkout"),
        Topic("backup", "nightly copy"),
        Topic("compiler", "build toolchain"),
        Topic("message queue", "event broker"),
        Topic("firewall", "packet filter"),
    ),
    events=(
        Event(
            name="slow",
            kin="tuned",
            short=("slow {t}", "{t} latency"),
            asked=("why is {x} so slow", "latency of {x}"),
            plain=("{x} was slow again on {day}.", "At {x} the latency doubled on {day}."),
            told=("{x} takes ages to answer since {day}.", "On {day} {x} dragged its feet."),
        ),
        Event(
            name="tuned",
            kin="slow",
            short=("optimise {t}", "faster {t}"),
            asked=("how did we optimise {x}", "is {x} any faster"),
            plain=("{person} will optimise {x} on {day}.", "{x} is faster since {day}."),
            told=(
                "{person} tuned {x}, which now replies in half the time.",
                "Thanks to {person}, {x} needs a third of the seconds it used to.",
            ),
        ),
        Event(
            name="crashed",
            kin="restarted",
            short=("{t} crash", "{t} outage"),
            asked=("when did {x} crash", "outage of {x}"),
            plain=("We saw {x} crash on {day}.", "On {day} an outage hit {x}."),
            told=("{x} fell over in the night to {day}.", "Nobody could reach {x} on {day}."),
        ),
        Event(
            name="restarted",
            kin="crashed",
            short=("restart {t}", "reboot {t}"),
            asked=("how do I restart {x}", "who had to reboot {x}"),
            plain=("{person} had to restart {x}.", "To reboot {x}, call {person}."),
            told=(
                "{person} brought {x} back up on {day}.",
                "{person} switched {x} off and on again, which helped.",
            ),
        ),
        Event(
            name="attacked",
            kin="patched",
            short=("{t} hacked", "{t} attack"),
            asked=("was {x} hacked", "attack on {x}"),
            plain=("{x} was hacked on {day}.", "An attack that lasted until {day} hit {x}."),
            told=("Intruders got into {x} on {day}.", "On {day} strangers broke into {x}."),
        ),
        Event(
            name="patched",
            kin="attacked",
            short=("{t} patch", "{t} vulnerability"),
            asked=("is there a patch for {x}", "vulnerability in {x}"),
            plain=(
                "The patch for {x} went live on {day}.",
                "{person} closed the vulnerability that {x} had.",
            ),
            told=(
                "{person} sealed the hole in {x} on {day}.",
                "The weak spot of {x} is gone since {day}.",
            ),
        ),
    ),
    details=(
        "{person} is on call until {day}.",
        "The graph is pinned in the chat channel.",
        "Customers in the north noticed it first.",
        "We agreed to write it down in {place}.",
        "{person} asked for a summary by {day}.",
        "Nothing in the logs looked unusual beforehand.",
        "The runbook now has a paragraph on it.",
    ),
)
