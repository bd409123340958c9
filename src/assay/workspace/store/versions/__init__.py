"""A dataset <-> rows that belong to some of its versions, so that each can be read as it was."""
