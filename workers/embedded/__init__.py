"""The embedded mode: a supervisor with one worker process, and no broker."""
