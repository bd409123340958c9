"""Put everything that protects the service around its routes."""

from fastapi import FastAPI

from assay.server.state import Service

__all__ = ["install_security"]


def install_security(app: FastAPI, service: Service, *, port: int) -> None:
    """Add the middleware: nothing reaches a handler past it."""
