"""One module a kind of field, each with `read`: a text, its field and document to a value."""
