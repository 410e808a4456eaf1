"""Kinds of values that are exact or enclosed, and arithmetic on them."""
