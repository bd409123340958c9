"""A name -> a list of configurations to compare. One file per suite."""
