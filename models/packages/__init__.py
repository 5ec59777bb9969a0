"""Model packages: what lies in one, loading and saving them, and which version is in service."""
