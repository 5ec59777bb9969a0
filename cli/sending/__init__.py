"""Many documents to a service and their answers home, over a journal that outlives a stop."""
