"""What would be true in place of a false claim, and what more is true beside a loose one."""
