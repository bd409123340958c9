"""A report -> the shapes that the programs before Assay wrote. One file per program."""
