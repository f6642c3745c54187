"""Sorted columns: the cells that scans read, and how a partition keeps them in order."""
