"""A page on one's own machine: a formula or a claim on the left; reading, verdict and proof on the right."""
