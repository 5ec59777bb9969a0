"""Values that the tagger missed: where a caption names them, or a sum needs them."""
