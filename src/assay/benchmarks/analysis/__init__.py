"""A report -> what can be learnt from it. One file per question."""
