"""HTTP: parse, call, answer. Loads no torch."""
