"""A text and its kind to a typed value: dates, amounts, durations, identifiers, names."""
