"""The `fieldwright` command; one module a command group, each importing late."""
