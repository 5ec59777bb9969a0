"""One field model: its recipe, the trainings it takes, and the package that they end in."""
