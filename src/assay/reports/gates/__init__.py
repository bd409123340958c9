"""Gates -> a terminal, JSON, Markdown, GitHub and JUnit; blessed baselines <-> their files."""
