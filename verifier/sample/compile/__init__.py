"""A tree as a torch function of one draw, with its derivatives and its cost."""
