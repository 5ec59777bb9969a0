"""Days and periods: figures and words, in many languages and calendars of writing."""
