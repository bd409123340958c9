"""How often something may happen within a minute."""

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

__all__ = ["RateLimit"]


class RateLimit:
    """Counts by a key, such as the id of a token, over a moving window; in this process alone."""

    def __init__(self, per_minute: int) -> None:
        self._item = RateLimitItemPerMinute(per_minute)
        self._window = MovingWindowRateLimiter(MemoryStorage())

    def hit(self, key: str) -> bool:
        """Count one; False if that is one too many, which is not counted."""
        return self._window.hit(self._item, key)

    def is_reached(self, key: str) -> bool:
        """Tell whether the next one is too many."""
        return not self._window.test(self._item, key)

    def wait_s(self, key: str) -> int:
        """Return after how many whole seconds the next one may follow."""
        stats = self._window.get_window_stats(self._item, key)
        return max(1, math.ceil(stats.reset_time - time.time()))
