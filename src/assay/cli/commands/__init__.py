"""Commands of `assay`, one file each, or a folder for a group of them."""
