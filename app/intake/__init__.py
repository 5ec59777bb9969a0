"""What is sent is judged here, before the store keeps it: kind, size, options, model, archives."""

from app.intake.batch import Upload
from app.intake.orders import Order
from app.intake.spool import Spool
from app.intake.submissions import Submissions

__all__ = ["Order", "Spool", "Submissions", "Upload"]
