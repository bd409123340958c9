"""The chart that is meant by a name: its own, or one that charts of its kind have elsewhere."""

from assay import catalogue
from assay.errors import UnknownNameError

__all__ = ["find_chart"]

NEAR = 0.6  # share of letters in common, as difflib counts it
# What others, or the headings of a report, call them.
OTHERWISE = {
    "quality": ("pareto", "pareto_front", "front", "tradeoff"),
    "differences": ("per_query", "queries", "uplift", "gains"),
    "categories": ("heat_map", "heatmap"),
    "scores": ("histogram", "distribution"),
    "waterfall": ("loss", "losses", "stages"),
    "effects": ("settings", "main_effects", "parameters"),
    "latency": ("time", "times", "speed"),
    "load": ("capacity", "throughput", "cost"),
    "depth": ("latency_across",),
    "energy": ("coherence", "structure"),
}


def find_chart(name: str, *, where: str = "", ending: str = "") -> str:
    """Return the chart of a name; what there is none of is refused with the one that is meant.

    ``ending`` is that of a file which is named for it.
    """
    from assay.reports.charts import kinds

    known = catalogue.files(kinds)
    if name in known:
        return name
    how = f"the name before the extension picks: {', '.join(known)}; such as {known[0]}.svg"
    hint = how if ending else f"there are: {', '.join(known)}"
    if meant := _meant(name, known):
        hint = f"did you mean {meant}{ending}? {hint}"
    raise UnknownNameError(f'no chart is called "{name[:60]}"', where=where, hint=hint)


def _meant(name: str, known: list[str]) -> str:
    import difflib  # only a wrong name needs it

    words = {one: one for one in known}
    words |= {word: one for one, others in OTHERWISE.items() for word in others if one in known}
    asked = name.strip().lower().replace("-", "_").replace(" ", "_")[:60]
    close = difflib.get_close_matches(asked, words, n=1, cutoff=NEAR)
    return words[close[0]] if close else ""
