"""Rankings x rankings -> a number per query: how alike two runs answer. One file per metric."""
