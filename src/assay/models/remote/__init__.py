"""Models behind a server: JSON over HTTP, in batches, each answer checked."""
