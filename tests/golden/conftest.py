"""The inputs of the commands are no tests."""

collect_ignore = ["inputs"]
