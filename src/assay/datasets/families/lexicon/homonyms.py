"""Every matter of words with several meanings, where only a query's domain tells which is meant."""

from assay.datasets.families.lexicon.homonyms_b import HOMONYMS_B
from assay.datasets.families.lexicon.homonyms_c_to_n import HOMONYMS_C_TO_N
from assay.datasets.families.lexicon.homonyms_p_to_s import HOMONYMS_P_TO_S

__all__ = ["HOMONYMS"]

HOMONYMS = (*HOMONYMS_B, *HOMONYMS_C_TO_N, *HOMONYMS_P_TO_S)
