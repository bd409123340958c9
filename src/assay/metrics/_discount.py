"""The discount of nDCG: how much less a document counts the lower it stands."""

import numpy as np

from assay.records import Floats

__all__ = ["discount"]


def discount(rank: Floats) -> Floats:
    """Divide by the binary logarithm of the rank plus one, as trec_eval does."""
    return 1.0 / np.log2(rank + 1.0)
