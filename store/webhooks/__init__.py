"""Webhooks: who is told of the ends of jobs, what is still to be sent, and what was."""
