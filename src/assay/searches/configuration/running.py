"""What a configuration runs on, and what that costs: settings that would have no effect."""

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from assay import catalogue
from assay.models.model_hint import with_example
from assay.records import Configuration
from assay.searches.configuration.member_settings import takes
from assay.searches.configuration.problem import Problem

__all__ = ["has_device", "idle_device", "idle_price", "uses_device"]

_unused = partial(Problem, idle=True)


def idle_device(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    """Refuse a device where no model of the configuration can compute on another."""
    model = None if search == "lexical" else given.get("model") or Configuration().model
    if given.get("device") is None or uses_device(model, given.get("rerank")):
        return
    what = f"has no effect with model: {model}" if model else "has no effect: no model is used"
    hint = f"remove it, or use a model such as {with_example('onnx')}"
    yield _unused("device", what, f"{hint} or {with_example('sentence-transformers')}")


def idle_price(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    """Refuse prices of what a search does not use; it is empty where a system searches."""
    price = given.get("price") or {}
    if not search and "per_core_hour" in price:
        what = "has no effect: how many cores a system uses is not known"
        yield _unused("price.per_core_hour", what, "use per_hour or per_1000_queries")
    system = given.get("system") or {}
    model = given.get("model", "") if search else system.get("model")
    embeds = search != "lexical" and model is not None  # given vectors may be those of an API
    if not embeds and "per_million_tokens" in price:
        what = "has no effect: no text is embedded"
        yield _unused("price.per_million_tokens", what, "remove it")


def uses_device(model: str | None, rerank: str | None) -> bool:
    """Tell whether one of the models of a search may compute on another device."""
    named = {"models.embedders": model, "models.rerankers": rerank}
    return any(name and has_device(package, name) for package, name in named.items())


def has_device(package: str, model: str) -> bool:
    """Tell whether a model may compute on another device: a folder is opened as one in ONNX."""
    kind = model.partition(":")[0].replace("-", "_")
    known = catalogue.names(import_module(f"assay.{package}"))
    folder = "onnx" if package == "models.embedders" else "cross_encoder"
    return "device" in takes(package, kind if kind in known else folder)
