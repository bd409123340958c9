"""The conductor: a benchmark -> a report. It joins the rooms; `spine` is all of it on one page."""
