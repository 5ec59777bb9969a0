"""One document in, one Extraction out. Reads no environment."""
