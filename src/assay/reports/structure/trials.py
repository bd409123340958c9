"""JSON of the synthetic benchmark: what was planted, and what each cell showed."""

from typing import Any

from assay.records import UpliftTrials
from assay.reports.structure.json import json

__all__ = ["trials"]

SCHEMA_VERSION = 1  # raised when a key changes its meaning; keys are added, never renamed


def trials(made: UpliftTrials) -> dict[str, Any]:
    """Return what ``assay uplift --json`` prints."""
    return {
        "schema_version": SCHEMA_VERSION,
        "settings": dict(made.settings),
        "verdict": made.verdict,
        "cells": [
            {"noise": one.noise, "spread": one.spread, "structure": json(one.structure)}
            for one in made.trials
        ],
        "notes": list(made.notes),
    }
