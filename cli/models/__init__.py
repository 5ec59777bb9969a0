"""Commands that make models: datasets, trainings, packages and how good they are."""
