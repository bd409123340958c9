"""YAML files -> matters: what notes can be about, said in two vocabularies. One file per domain."""
