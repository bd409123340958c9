from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from assay.http.attempts import _asked_pause


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("2", 2.0),
        ("86400", 30.0),
        ("9" * 500, 30.0),
        ("-1", 0.0),
        ("1.5", 0.0),
        ("²", 0.0),
        ("soon", 0.0),
        ("", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 99 Oct 2015 99:28:00 GMT", 0.0),
    ],
)
def test_a_server_may_ask_for_a_pause_but_not_for_any(value, seconds):
    assert _asked_pause(value) == seconds


def test_a_server_may_name_the_end_of_a_pause():
    later = format_datetime(datetime.now(UTC) + timedelta(hours=3), usegmt=True)
    assert _asked_pause(later) == 30.0
