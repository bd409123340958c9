"""What all tests share: time for those that hypothesis drives, and a user without rights."""

import os
from contextlib import contextmanager

import pytest
from hypothesis import settings

# Machines are shared, and imports are lazy.
settings.register_profile("assay", deadline=None)
settings.load_profile("assay")


@pytest.fixture
def nobody():
    """Act as a user without rights: the superuser may read and write anywhere."""

    @contextmanager
    def acting():
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield
        finally:
            if root:
                os.seteuid(0)

    return acting
