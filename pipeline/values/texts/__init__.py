"""Values that stay text: names, identifiers, addresses and their parts, countries."""
