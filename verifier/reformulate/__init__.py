"""A claim as another claim, with a way back for answers and points."""
