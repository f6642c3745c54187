"""Sums as a textbook writes them out."""
