"""Validate the settings of coherence ranking."""

import math

from assay.engines.check_values import check_count, check_share
from assay.errors import InputError
from assay.records import CoherenceSettings

__all__ = ["check_settings"]

GRAPHS = ("approximate", "exact")


def check_settings(settings: CoherenceSettings) -> None:
    """Refuse invalid settings; the message names the setting."""
    check_share(settings.alpha, where="alpha")
    check_share(settings.min_overlap, where="min_overlap")
    check_count(settings.neighbours, where="neighbours")
    check_count(settings.directions, where="directions")
    check_count(settings.max_iterations, where="max_iterations", least=0)
    for name in ("gap_margin", "min_drop", "tolerance", "smoothing", "anchor"):
        _refuse(name, getattr(settings, name), least=0.0)
    _refuse("ground", settings.ground, above=0.0)
    if settings.graph not in GRAPHS:
        raise InputError(
            f'unknown graph "{settings.graph}"',
            where="graph",
            hint=f"expected {' or '.join(GRAPHS)}",
        )


def _refuse(name: str, value: float, *, least: float = -math.inf, above: float = -math.inf) -> None:
    if math.isfinite(value) and value >= least and value > above:
        return
    limit = f">= {least:g}" if least == 0 else f"> {above:g}"
    raise InputError(f"invalid value {value}", where=name, hint=f"expected a number {limit}")
