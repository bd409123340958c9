"""What a service keeps beside its benchmarks: datasets, corpora, mappings, judgments, and more."""
