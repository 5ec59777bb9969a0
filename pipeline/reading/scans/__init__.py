"""Pictures of pages: opened, turned upright, straightened, made ready for recognition."""
