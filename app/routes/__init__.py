"""One module a group of addresses; each route is parse, call, answer."""
