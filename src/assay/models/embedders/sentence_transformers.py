"""Model for the sentence-transformers package, e.g. sentence-transformers:BAAI/bge-small-en."""

import json
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.extras import install_command
from assay.models.inference.device import check_device, gpu_name, no_cuda
from assay.models.inference.windows import sound
from assay.records import Track, untracked
from assay.records.model import Embedder, Vectors

__all__ = ["sentence_transformers"]

PACKAGES = ("sentence-transformers", "transformers", "torch")


def sentence_transformers(name: str, *, device: str = "cpu") -> Embedder:
    """Open a model by its Hugging Face name or folder; the package may download it.

    ``device`` is cpu, cuda, or auto: what the package itself would choose.
    """
    where = f"sentence-transformers:{name}"
    check_device(device, where=where)
    try:
        from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]
    except ImportError:
        problem = "needs the package sentence-transformers"
        hint = install_command("sentence-transformers")
        raise InputError(problem, where=where, hint=hint) from None
    if device == "cuda" and not _has_cuda():
        raise no_cuda("torch finds no GPU", where=where, needs="a build of torch with CUDA")
    try:
        model = SentenceTransformer(name, device=None if device == "auto" else device)
    except Exception as error:  # noqa: BLE001 (it passes on what many libraries raise)
        hint = "specify a folder, or a model to download, e.g. BAAI/bge-small-en"
        raise InputError(f"cannot be loaded ({str(error)[:300]})", where=where, hint=hint) from None
    return _Model(where, model)


class _Model:
    def __init__(self, name: str, model: Any) -> None:  # noqa: ANN401
        self.name, self._model = name, model
        self.device = _named(str(getattr(model, "device", "cpu")))

    @property
    def window(self) -> int | None:
        """How many tokens are read; the rest is cut."""
        found: int | None = getattr(self._model, "max_seq_length", None)
        return found

    @cached_property
    def dimension(self) -> int:
        return int(self._encode("a", query=False).shape[-1])

    @cached_property
    def fingerprint(self) -> str:
        told = [*([name, version(name)] for name in PACKAGES), self.device]
        digest = sha256(json.dumps(told).encode())
        digest.update(json.dumps(_settings(self._model), default=str).encode())
        for key, tensor in sorted(self._model.state_dict().items()):
            digest.update(key.encode())
            # As float32, for numpy knows no bfloat16; no two weights become one by it.
            digest.update(tensor.detach().cpu().float().numpy().tobytes())
        return digest.hexdigest()

    def count(self, text: str) -> int:
        return len(self._model.tokenizer.encode(sound(text), add_special_tokens=False))

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        """Return a unit vector per text, one at a time: padding to batch-mates moves the bits."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(texts):
            if text.strip():
                rows.setdefault(text, []).append(row)
        for text in track(rows, "embedding", total=len(rows), unit="texts"):
            vectors[rows[text]] = self._encode(text, query=query)
        return vectors

    def _encode(self, text: str, *, query: bool) -> Vectors:
        # Newer versions tell questions and documents apart, for models that do.
        kind = "encode_query" if query else "encode_document"
        encode = getattr(self._model, kind, self._model.encode)
        found = encode(sound(text), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(found, dtype=np.float32)


def _has_cuda() -> bool:
    import torch  # type: ignore[import-not-found]

    return bool(torch.cuda.is_available())


def _named(device: str) -> str:
    """Name a device, and the GPU that it is."""
    return f"{device} ({gpu_name()})" if device.startswith("cuda") else device


def _settings(model: Any) -> list[object]:  # noqa: ANN401
    """Name what decides on vectors besides the weights: prompts, and the modules' own settings."""
    names = ("max_seq_length", "prompts", "default_prompt_name", "truncate_dim")
    modules = model.children() if hasattr(model, "children") else ()
    kept = [
        [type(module).__name__, module.get_config_dict()]
        for module in modules
        if hasattr(module, "get_config_dict")
    ]
    return [[getattr(model, name, None) for name in names], kept]
