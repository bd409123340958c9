"""A report and grades -> what to judge next."""
