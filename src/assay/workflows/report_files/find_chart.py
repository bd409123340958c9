"""The chart of a name: its own, or one that charts of its kind have elsewhere."""

from assay import catalogue
from assay.errors import UnknownNameError
from assay.text.near_miss import near_miss

__all__ = ["find_chart"]

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
    "recall": ("approximate", "curve", "recall_latency", "ann", "hnsw", "ef_search"),
    "energy": ("coherence", "structure"),
}


def find_chart(name: str, *, where: str = "", ending: str = "") -> str:
    """Return the chart of a name; refuse an unknown one with the nearest.

    ``ending`` is that of a file which is named after it.
    """
    from assay.reports.charts import kinds

    known = catalogue.files(kinds)
    if name in known:
        return name
    listed = f"available charts: {', '.join(known)}"
    how = f"the name before the extension selects the chart, e.g. {known[0]}.svg; {listed}"
    hint = how if ending else listed
    if meant := _meant(name, known):
        hint = f"did you mean {meant}{ending}? {hint[0].upper()}{hint[1:]}"
    raise UnknownNameError(f'unknown chart "{name[:60]}"', where=where, hint=hint)


def _meant(name: str, known: list[str]) -> str:
    words = {one: one for one in known}
    words |= {word: one for one, others in OTHERWISE.items() for word in others if one in known}
    asked = name.strip().lower().replace("-", "_").replace(" ", "_")[:60]
    return words.get(near_miss(asked, words), "")
