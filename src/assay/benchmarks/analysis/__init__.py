"""A report -> what is to be learnt from it. One file per question."""
