"""Retrieved lists -> rankings for any fusion, threshold and depth, all queries at once."""
