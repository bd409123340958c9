"""A pytest session -> benchmark files as tests, one per check and run, and a fixture for others."""
