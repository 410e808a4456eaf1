"""Inequalities between closed forms: signs, majorants, norms, points of blocks that break them."""
