"""A test that hypothesis drives may take its time: machines are shared, and imports are lazy."""

from hypothesis import settings

settings.register_profile("assay", deadline=None)
settings.load_profile("assay")
