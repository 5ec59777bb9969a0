"""Where values stand: tagged places, whole and in their order; what is printed elsewhere."""
