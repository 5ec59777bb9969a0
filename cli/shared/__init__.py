"""What several commands share: the home, models in service, documents, tables and progress."""
