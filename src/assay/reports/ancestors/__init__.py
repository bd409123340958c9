"""A report -> the formats of the programs before Assay. One file per program."""
