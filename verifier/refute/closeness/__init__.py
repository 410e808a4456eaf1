"""How close a bound comes to what it bounds, and what it could be."""
