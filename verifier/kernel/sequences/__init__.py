"""Sequences of random variables: what is said of them, what follows from what, explicit examples."""
