"""Files: opened whatever packs them, named as people name them, written whole or not at all."""
