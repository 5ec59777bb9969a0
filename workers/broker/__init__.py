"""The production mode: Celery brings messages over Redis, each of them only a hint."""
