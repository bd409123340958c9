"""What is to be learnt from a report -> tables, each below a sentence. One file per table."""
