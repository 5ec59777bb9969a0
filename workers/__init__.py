"""What runs: stages, the worker, Celery, the embedded supervisor, the sweeper, the sender."""
