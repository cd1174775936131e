"""The learners: one file per family, or one folder."""
