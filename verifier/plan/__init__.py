"""Which engines are asked about a claim, in which order, with which share of the time."""
