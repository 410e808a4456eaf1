"""Where researchers work: Python, notebooks, agents and editors, all over `judging`."""
