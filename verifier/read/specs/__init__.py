"""Specs and claim blocks of write-ups, as claims: every message with file, line and column."""
