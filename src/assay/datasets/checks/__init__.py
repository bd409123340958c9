"""A dataset (and the documents it points at) -> what is wrong with it. One file per check."""

from assay.datasets.checks._evidence import Check, Evidence, Gold, check, identity
from assay.datasets.checks._examine import examine

__all__ = ["Check", "Evidence", "Gold", "check", "examine", "identity"]
