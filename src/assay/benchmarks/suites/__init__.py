"""A name -> the configurations that answer a question. One file per suite."""
