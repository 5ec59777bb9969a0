"""Position encodings (slot 1): where a piece stands, as a vector."""
