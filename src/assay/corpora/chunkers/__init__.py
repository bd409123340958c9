"""Document -> chunks: pieces that know where they stand. One file per way to take it apart."""
