"""Readers and writers of other tools' dataset formats, a module each; `folder` converts."""
