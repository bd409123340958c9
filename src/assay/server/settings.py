"""How a service is run: where it listens, what it keeps, and what it allows."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.workspace.locate import Workspace

__all__ = ["ServeSettings"]

MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """The options of `assay serve`.

    ``place`` is the workspace; ``workers`` processes are started beside the service (0: none), each
    with at most ``memory_limit`` bytes. ``upload_limit`` is the largest upload in bytes,
    ``query_limit`` the most queries of a dataset, ``judgment_limit`` the most judgments of a query,
    ``rate`` how many requests a person may send per minute. ``allow`` lists what is allowed
    (KIND=VALUE), ``hosts`` further names under which the service is reached. ``proxy`` tells that a
    proxy in front of it ends TLS. ``environment`` is that of its workers.
    """

    place: Workspace
    host: str = "127.0.0.1"
    port: int = 8787
    certificate: Path | None = None
    key: Path | None = None
    workers: int = 1
    memory_limit: int | None = None
    upload_limit: int = 10 * MB
    query_limit: int = 1_000
    judgment_limit: int = 100
    rate: int = 1200
    allow: tuple[str, ...] = ()
    hosts: tuple[str, ...] = field(default=())
    proxy: bool = False
    log_json: bool = False
    retention_days: float = 30.0
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)

    @property
    def secure(self) -> bool:
        """Whether browsers reach the service by HTTPS."""
        return self.certificate is not None or self.proxy

    @property
    def uploads(self) -> Path:
        """The folder for uploads while they are received."""
        return self.place.folder / "uploads"

    @property
    def backups(self) -> Path:
        """The folder for backups."""
        return self.place.folder / "backups"
