"""Recognition engines behind one interface: a picture of a page in, its words out."""
