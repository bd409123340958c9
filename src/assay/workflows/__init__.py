"""Arguments -> what a command does. One file per command, which is also the Python function."""
