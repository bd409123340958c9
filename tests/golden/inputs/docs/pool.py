class ConnectionPool:
    """Lend connections to callers and take them back."""

    def acquire(self, timeout):
        """Wait for a free connection until the timeout."""
        return self.free.get(timeout=timeout)

    def release(self, connection):
        """Give a connection back to the pool."""
        self.free.put(connection)
