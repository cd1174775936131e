"""The learners: one file per family."""
