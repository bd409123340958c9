"""Dataset files and folders. One file per format."""
