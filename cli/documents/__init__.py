"""Commands about documents: their fields, their words, what a text becomes."""
