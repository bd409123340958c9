"""The certificate and the key of a service that ends TLS itself."""

import ssl
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.server.settings import ServeSettings

__all__ = ["refuse_certificate"]


def refuse_certificate(settings: ServeSettings) -> None:
    """Refuse a certificate that TLS could not be served with, before anything listens."""
    if (settings.certificate is None) != (settings.key is None):
        hint = "give both --certificate FILE and --key FILE"
        raise UsageError("TLS needs a certificate and its key", hint=hint)
    if settings.certificate is None or settings.key is None:
        return
    for file in (settings.certificate, settings.key):
        _refuse_unreadable(file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(settings.certificate, settings.key, password=lambda: "")
    except (ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        hint = "both must be PEM files, the key without a passphrase, and must match"
        problem = f"cannot be used together with the key {settings.key} ({reason})"
        raise InputError(problem, where=str(settings.certificate), hint=hint) from None


def _refuse_unreadable(file: Path) -> None:
    try:
        file.open("rb").close()
    except OSError as error:
        hint = "check the path and its permissions"
        problem = f"cannot be read ({error.strerror})"
        raise InputError(problem, where=str(file), hint=hint) from None
