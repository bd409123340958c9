"""The log of the service on stderr: one line per event, as text or as JSON, without secrets."""

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from assay.server.security.log_text import hide_tokens
from assay.server.security.rate_limit import RateLimit
from assay.text import json_sanitized, sanitize

__all__ = ["logging_to_stderr"]

REQUESTS = "assay.server.requests"  # whose lines are JSON already
WARNINGS = 60
LEVELS = {
    "uvicorn.error": logging.WARNING,
    "asyncio": logging.WARNING,
    REQUESTS: logging.INFO,
}
WRITTEN = ("assay", "uvicorn.error", "asyncio")


@contextmanager
def logging_to_stderr(*, as_json: bool) -> Iterator[None]:
    """Write what the service logs to stderr meanwhile, requests only where JSON is asked for."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines(as_json=as_json))
    handler.addFilter(_Bounded())
    loggers = [logging.getLogger(name) for name in ("assay", *LEVELS)]
    before = [(one, one.level, one.propagate) for one in loggers]
    for logger in loggers:
        logger.setLevel(LEVELS.get(logger.name, logging.INFO))
    logging.getLogger(REQUESTS).disabled = not as_json
    for name in WRITTEN:
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).propagate = False
    try:
        yield
    finally:
        for name in WRITTEN:
            logging.getLogger(name).removeHandler(handler)
        for logger, level, propagate in before:
            logger.setLevel(level)
            logger.propagate = propagate


class _Bounded(logging.Filter):
    """Lets so many warnings of the web server pass in a minute: anybody can cause them."""

    def __init__(self) -> None:
        super().__init__()
        self._warnings = RateLimit(WARNINGS)

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether to write a record."""
        often = record.name == "uvicorn.error" and record.levelno <= logging.WARNING
        often = often or record.name == "asyncio"
        return not often or self._warnings.hit("all")


class _Lines(logging.Formatter):
    """Writes a record as one line, or a traceback as several where a person reads."""

    converter = staticmethod(time.gmtime)

    def __init__(self, *, as_json: bool) -> None:
        super().__init__("%(asctime)sZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        if record.name == REQUESTS:
            return hide_tokens(record.getMessage())
        if not self._as_json:
            text = hide_tokens(sanitize(super().format(record), keep="\n"))
            return text.replace("\n", "\n    ")  # only the start of an event is at the left
        message = hide_tokens(record.getMessage())
        if record.exc_info:
            message = f"{message}\n{hide_tokens(self.formatException(record.exc_info))}"
        about = {"time": self.formatTime(record, self.datefmt) + "Z"}
        about |= {"level": record.levelname.lower(), "logger": record.name, "message": message}
        return json_sanitized(json.dumps(about, ensure_ascii=False))
