"""Tagged spans to an answer: one value a field, with its confidence, its place and alternatives.

`resolve` makes the fields of an answer, `answerer.Answerer` the whole of it.
"""
