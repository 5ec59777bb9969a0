"""What training and evaluating show on standard error: progress, never data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:  # torch comes in with it
    from training.field_model.judging import Trained


class ReadingBar(Progress):
    """A bar over documents, from the first on; give `on_row` to `training.data.read_rows`."""

    def __init__(self, title: str) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._task = self.add_task(title, total=None, visible=False)

    def on_row(self, done: int, total: int) -> None:
        """Move the bar."""
        self.update(self._task, completed=done, total=total, visible=True)


class TrainingBar(Progress):
    """A bar over all steps, with loss, score and time left; a line for each epoch."""

    def __init__(self) -> None:
        super().__init__(
            TextColumn("training"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("loss {task.fields[loss]}  score {task.fields[score]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True, highlight=False),
        )
        self._task = self.add_task("training", total=None, loss="-", score="-")

    def step(self, done: int, total: int, loss: float) -> None:
        """Move the bar by a step."""
        self.update(self._task, completed=done, total=total, loss=f"{loss:.4f}")

    def fold(self, number: int, trained: Trained) -> None:
        """Print the scores of a fold, and begin a new bar."""
        for reading, scores in trained.scores.items():
            self.console.print(
                f"fold {number}, {reading} transcription, {len(scores.ids)} documents: normalised "
                f"F1 {scores.total('normalised').f1:.3f}, lenient {scores.total('lenient').f1:.3f}"
            )

    def final(self, documents: int, epochs: int) -> None:
        """Print what is learnt from in the end, and for how many epochs."""
        of = f"{epochs} epoch{'s' if epochs != 1 else ''}"
        self.console.print(f"training on all {documents} documents, for {of}")

    def size(self, documents: int) -> None:
        """Print how many documents the next training has."""
        self.console.print(f"training on {documents} documents")

    def epoch(self, number: int, score: float | None, best: bool) -> None:
        """Print an epoch's validation score, if documents are held out."""
        if score is None:
            self.console.print(f"epoch {number}")
            self.update(self._task, score="-")
            return
        mark = "  (best so far)" if best else ""
        self.console.print(f"epoch {number}: validation F1 {score:.4f}{mark}")
        self.update(self._task, score=f"{score:.4f}")
