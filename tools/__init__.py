"""Scripts that look after the repository."""
