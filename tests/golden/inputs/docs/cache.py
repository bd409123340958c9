class Cache:
    """Keep answers so that the same question is not computed again."""

    def __init__(self, limit):
        self.limit = limit
        self.kept = {}

    def get(self, key, compute):
        """Return the stored answer, or compute and store it."""
        if key not in self.kept:
            self.kept[key] = compute(key)
        return self.kept[key]

    def evict_oldest(self):
        """Remove the entry that was stored first."""
        self.kept.pop(next(iter(self.kept)))
