"""What a service lets others do: benchmarks and searches that come over the network."""
