"""Text -> the words that indexes hold, and how much of a query's words a text holds."""
