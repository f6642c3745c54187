"""Criteria of order and geometry, in stages: BNM, CSN, segments."""
