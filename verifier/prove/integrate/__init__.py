"""Exact moments of activations of normal weights: closed forms that the networks go on with."""
