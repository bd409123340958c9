"""What two searches answer differently -> lines, tables and JSON. One file per view."""
