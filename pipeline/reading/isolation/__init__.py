"""Runs code on untrusted bytes in child processes that cannot harm or outlive their parent."""
