"""What lives on disk: indexes, remembered vectors, and the folder that holds them."""
