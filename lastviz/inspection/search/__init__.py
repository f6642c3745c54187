"""Reasons for a split: the node's search run again, its candidates by every criterion."""
