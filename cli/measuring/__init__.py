"""What `fieldwright benchmark` measures: a service under load, and attention by length."""
