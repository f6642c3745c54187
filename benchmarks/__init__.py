"""Measurements against peers; `make bench` runs them all."""
