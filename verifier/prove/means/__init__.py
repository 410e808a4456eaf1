"""Inequalities between means: Jensen, Markov, bounds that hold for every draw."""
