"""Readers and writers of other tools' dataset formats."""
