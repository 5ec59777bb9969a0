"""What a request passes before a route sees it: connections, keys, rates, bodies, the log line."""
