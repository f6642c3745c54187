"""A feature and a threshold: curves of scores, and the choice among them."""
