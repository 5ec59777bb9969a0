"""Trainings of datasets as jobs: claimed, run at low priority, resumed where they stopped."""
