"""A direction and a threshold: searches that turn a hyperplane."""
