"""Cross-encoder in a local folder (model.onnx, tokenizer.json): precise, slow."""

import json
import math
import platform
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError
from assay.models.inference.open_folder import open_folder
from assay.models.inference.session import Session
from assay.models.inference.threads import in_threads, threads_or_all
from assay.models.inference.windows import encoded
from assay.records.arrays import Floats
from assay.records.model import PairScorer
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

__all__ = ["cross_encoder"]


def cross_encoder(
    path: str,
    *,
    scores: str = "sigmoid",
    window: int = 512,
    threads: int | None = None,
    device: str = "cpu",
) -> PairScorer:
    """Open the model; ``scores`` are mapped to 0..1 by a sigmoid, or raw.

    If a pair is longer than ``window`` tokens, the text is truncated. The query is truncated only
    if it takes more than half of the window. ``device`` is cpu, cuda, or auto: cuda where it is
    available.
    """
    if scores not in ("sigmoid", "raw"):
        hint = "expected sigmoid or raw"
        raise InputError(
            f"invalid value {quote_value(scores)} for scores", where="rerank", hint=hint
        )
    session, tokenizer, origin = open_folder(path, device=device)
    room = window - tokenizer.num_special_tokens_to_add(is_pair=True)
    if room < 2:
        hint = f"use at least {window - room + 2}"
        raise InputError(
            f"a window of {window} tokens is too small for a pair", where="rerank", hint=hint
        )
    name = Path(path).expanduser().resolve().name
    model = _CrossEncoder(name, session, tokenizer, room, squash=scores == "sigmoid")
    model.threads = threads_or_all(threads)
    runtime = ["onnxruntime", session.version, platform.machine()]
    parts = ["cross-encoder-1", *origin, *runtime, scores, window]
    model.fingerprint = sha256(json.dumps(parts).encode()).hexdigest()
    return model


class _CrossEncoder:
    threads = 1
    fingerprint = ""

    def __init__(
        self, name: str, session: Session, tokenizer: "Tokenizer", room: int, *, squash: bool
    ) -> None:
        self.name, self.device = name, session.device
        self._session, self._tokenizer, self._room = session, tokenizer, room
        self._squash = squash

    def score(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score per text, one pair at a time: a score does not depend on the others."""
        asked = encoded(self._tokenizer, query)
        asked.truncate(self._room // 2)
        found = in_threads(lambda text: self._score(asked, text), texts, self.threads)
        return np.array(list(found), dtype=np.float64)

    def _score(self, asked: "Encoding", text: str) -> float:
        read = encoded(self._tokenizer, text)
        read.truncate(self._room - len(asked.ids))
        pair = self._tokenizer.post_process(asked, read)
        ids = np.array([pair.ids], dtype=np.int64)
        logits = self._session.run(ids, np.array([pair.type_ids], dtype=np.int64)).ravel()
        if len(logits) not in (1, 2):
            hint = "use a ranking model with one output, or two (not relevant, relevant)"
            problem = f"the model returns {len(logits)} outputs per pair"
            raise InputError(problem, where=self.name, hint=hint)
        # Two classes: the sigmoid of their difference is the softmax of the second.
        value = float(logits[-1]) - (float(logits[0]) if len(logits) == 2 else 0.0)
        return _sigmoid(value) if self._squash else value


def _sigmoid(value: float) -> float:
    # Both forms, for exp() overflows beyond 709.
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    return math.exp(value) / (1 + math.exp(value))
