"""The command line: one module a command group. Exit codes beside 0 are named here."""

USAGE, FAILED = 2, 3  # the call is wrong; some or all documents failed
