"""Document -> chunks with their places in it. One file per chunker."""
