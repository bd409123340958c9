"""Text -> its units: tokens and characters, sections and paragraphs, the encoding of its bytes."""
