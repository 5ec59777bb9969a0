"""The tables, and the database they stand in: connections and their turns, counters, cursors."""
