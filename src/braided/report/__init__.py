"""Pictures of what came out: single drawings, and one page that shows all of it."""
