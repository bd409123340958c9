"""A benchmark -> a report. The folders are the steps; `spine` is all of it on one page."""
