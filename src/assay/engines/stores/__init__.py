"""Databases that are filled with our chunks and searched. One file per kind of store."""
