"""Configurations x blocks of queries -> the configurations that may still be the best."""
