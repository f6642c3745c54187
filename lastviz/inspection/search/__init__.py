"""Why this split: the search of a node run again, its candidates by every criterion."""
