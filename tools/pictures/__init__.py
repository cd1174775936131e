"""The pictures of the docs: ``python -m tools.pictures`` draws all of them again."""
