"""What an ancestor's JSON holds -> its Markdown. One file per ancestor."""
