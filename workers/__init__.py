"""The queue: carry ids, claim, retry, store."""
