"""Commands that run the service and look after its store, its keys and its secrets."""
