"""Reports of benchmarks -> tables, sentences, Markdown and JSON."""
