"""Sums of networks back as trees of the language, as a person would write them."""
