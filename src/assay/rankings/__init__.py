"""Run file <-> rankings, and rankings + judgments -> judged rankings."""
