"""How normal forms behave as symbols grow: which symbols move, leading terms, limits, instances."""
