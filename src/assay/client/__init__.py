"""The Python client of the service: the verbs of its API, with records of Assay as results."""

from assay.client.client import Client

__all__ = ["Client"]
