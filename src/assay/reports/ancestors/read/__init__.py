"""JSON of the programs before Assay -> a report. One file per program."""
