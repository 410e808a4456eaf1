"""What is known of an expression, by one fold over the tree; each domain is a module of its own."""
