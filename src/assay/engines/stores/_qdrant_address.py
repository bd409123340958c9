"""Where Qdrant is, and what it says when something goes wrong; its key is never shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from assay.engines.stores._environment import is_named, looked_up, shown, without_variables
from assay.errors import InputError
from assay.extras import install_command
from assay.http.connections import parse_server

__all__ = ["QdrantAddress", "address"]

TIMEOUT_S = 60
START = "start Qdrant (default port 6333), or remove url to use local mode"


@dataclass(frozen=True, slots=True)
class QdrantAddress:
    """A server with its key, or neither: then Qdrant's local mode, inside of this process."""

    url: str | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)
    place: str = "qdrant"  # as messages may name it: without what the environment holds

    def client(self) -> Any:  # noqa: ANN401
        """Make a client; what it asks a server before it is asked to is switched off."""
        try:
            from qdrant_client import QdrantClient
        except ImportError as error:
            problem = "the qdrant store requires the package qdrant-client"
            raise InputError(problem, hint=install_command("qdrant")) from error
        if self.url is None:
            # In a folder each point is a transaction of its own, and it is all held in memory too.
            return QdrantClient(location=":memory:")
        # As a header of its own the key may go to any server: how it travels is the user's choice.
        return QdrantClient(
            url=self.url,
            timeout=TIMEOUT_S,
            check_compatibility=False,
            metadata={"api-key": self.key} if self.key else {},
        )

    @contextmanager
    def spoken(self) -> Iterator[None]:
        """Turn whatever Qdrant raises into one message."""
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

        try:
            yield
        except UnexpectedResponse as error:
            raise self._refused(error.status_code, error.content) from None
        except (ApiException, QdrantException, ConnectionError) as error:
            said = self._short(str(getattr(error, "source", error)))
            raise InputError(f"request failed ({said})", where=self.place, hint=START) from None
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(
                f"Qdrant: {self._short(str(error))}",
                where=self.place,
                hint="check the system settings",
            ) from error

    def _refused(self, status: int | None, content: bytes) -> InputError:
        if status in (401, 403):
            hint = 'write api_key: "${QDRANT_API_KEY}" and set that environment variable'
            return InputError("the server rejected the API key", where=self.place, hint=hint)
        said = self._short(content.decode("utf-8", "replace"))
        hint = "check that url points to Qdrant, and its memory and access rights"
        return InputError(
            f"the server responded with status {status}: {said}", where=self.place, hint=hint
        )

    def _short(self, said: str) -> str:
        hidden = said.replace(self.key, "***") if self.key else said
        return " ".join(hidden.split())[:200]


def address(url: str | None, api_key: str | None) -> QdrantAddress:
    """Read url and key; ``${NAME}`` and ``${NAME:-default}`` refer to the environment."""
    if url is None:
        if api_key is not None:
            hint = "add the url of a server, or remove api_key"
            raise InputError("API key without a server", where="api_key", hint=hint)
        return QdrantAddress()
    whole = looked_up(str(url), where="url").strip().rstrip("/")
    if not _leads_to_a_server(whole):
        hint = "expected e.g. http://localhost:6333; put an API key into api_key"
        raise InputError("not the URL of a server", where="url", hint=hint)
    return QdrantAddress(whole, _key(api_key), f"qdrant at {shown(str(url))}")


def _key(api_key: object) -> str | None:
    if api_key is None:
        return None
    hint = 'write api_key: "${QDRANT_API_KEY}" and set that environment variable'
    if not isinstance(api_key, str) or without_variables(api_key).strip() or not is_named(api_key):
        # What is written into a file stands in reports, and is read by others.
        raise InputError("contains the API key in plain text", where="api_key", hint=hint)
    key = looked_up(api_key, where="api_key").strip()
    if not (key.isascii() and key.isprintable()):
        raise InputError(
            "the API key contains line breaks or non-ASCII characters", where="api_key", hint=hint
        )
    return key or None


def _leads_to_a_server(url: str) -> bool:
    parts = parse_server(url)
    return parts is not None and not ("@" in parts.netloc or parts.query or parts.fragment)
