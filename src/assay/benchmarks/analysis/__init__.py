"""A report -> its findings. One file per question."""
