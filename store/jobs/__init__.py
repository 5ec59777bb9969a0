"""Jobs: submitted, claimed under a lease, ended with one result."""
