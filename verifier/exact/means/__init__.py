"""Means of functions of random entries, exact or enclosed."""
