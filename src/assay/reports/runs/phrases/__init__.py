"""Report -> sentences: what a run is called, who is picked, what to know besides."""
