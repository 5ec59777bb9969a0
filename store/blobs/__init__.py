"""The bytes of documents and what was made of them, by reference."""
