"""Slow twins: the equations of the papers as loops, to check the fast code against."""
