"""Put everything that protects the service around its routes."""

from typing import Any

from fastapi import FastAPI

from assay.server.problem import ProblemAnswers
from assay.server.security.audit_requests import AuditRequests
from assay.server.security.body_check import BodyCheck, BodyLimits
from assay.server.security.host_check import HostCheck, allowed_hosts
from assay.server.security.known_tokens import KnownTokens
from assay.server.security.lingering_close import LingeringClose
from assay.server.security.origin_check import OriginCheck
from assay.server.security.rate_limit import RateLimit
from assay.server.security.request_log import RequestLog
from assay.server.security.security_headers import SecurityHeaders
from assay.server.security.sign_in import SignIn
from assay.server.state import Service

__all__ = ["install_security"]

FORM_BYTES = 64 * 1024  # of an upload beside its file: the other fields, and what separates them


def install_security(
    app: FastAPI, service: Service, *, port: int, limits: BodyLimits | None = None
) -> None:
    """Add the middleware: nothing reaches a handler past it."""
    settings = service.settings
    largest = settings.upload_limit + FORM_BYTES
    limits = limits or BodyLimits(upload_bytes=largest, form_bytes=FORM_BYTES)
    outermost_first: tuple[tuple[Any, dict[str, Any]], ...] = (
        (LingeringClose, {}),
        (RequestLog, {"every": settings.log_json}),
        (SecurityHeaders, {"secure": settings.secure}),
        (ProblemAnswers, {}),
        (HostCheck, {"allowed": allowed_hosts(settings, port), "secure": settings.secure}),
        (OriginCheck, {"secure": settings.secure}),
        (
            SignIn,
            {
                "store": service.store,
                "known": KnownTokens(service.store.tokens),
                "requests": RateLimit(settings.rate),
                "secure": settings.secure,
            },
        ),
        (AuditRequests, {"store": service.store}),
        (BodyCheck, {"limits": limits}),
    )
    for kind, options in reversed(outermost_first):
        app.add_middleware(kind, **options)
