"""What the replays of one recording share, each made when it is needed first."""

from collections.abc import Sequence
from functools import partial

from assay.engines.fusions import Fusion
from assay.engines.sweep._columns import Columns, prepare_columns
from assay.engines.sweep._inputs import FusionInputs, cut_lists, fill_lists
from assay.engines.sweep._matrix_cache import MatrixCache
from assay.engines.sweep._part_answers import PartAnswers
from assay.engines.sweep._ranking import Ranking, rank_part
from assay.engines.sweep._view import View

__all__ = ["SharedMatrices"]


class SharedMatrices:
    """Views of the lists at several depths, and what fusions make of them before any weight."""

    def __init__(self, heard: Sequence[PartAnswers], deepest: View) -> None:
        self._heard = heard
        self._deepest = deepest
        self._views, self._inputs = MatrixCache(), MatrixCache()
        self._columns, self._rankings = MatrixCache(), MatrixCache()

    def view(self, depth: int) -> View:
        """Lay out the lists cut to a depth."""
        return self._views.get(depth, partial(self._deepest.at, depth))

    def ranking(self, view: View) -> Ranking:
        """Return the lists of the only part."""
        return self._rankings.get(view.depth, partial(rank_part, view, self._heard))

    def columns(self, view: View, fusion: Fusion, *, fill: bool, by_document: bool) -> Columns:
        """Return what serves all weights of a fusion, laid out to rank chunks or documents."""

        def make() -> Columns:
            layout = view.by_document if by_document else view.by_chunk
            return prepare_columns(fusion, view, layout, partial(self._lists, view, fill=fill))

        rest = tuple(pair for pair in fusion.settings if pair[0] != "weights")
        return self._columns.get((fusion.name, rest, view.depth, fill, by_document), make)

    def _lists(self, view: View, *, fill: bool) -> FusionInputs:
        """Return the lists of all parts as fusions get them."""
        make = partial(fill_lists if fill else cut_lists, view, self._heard)
        return self._inputs.get((view.depth, fill), make)
