"""Who may do what: API keys with their scopes, and whose job is whose."""
