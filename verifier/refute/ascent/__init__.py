"""Points that break a relation: many at once, by ascent, as rationals, made smaller."""
