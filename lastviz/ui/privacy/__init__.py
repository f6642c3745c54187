"""The page *privacy*: what is kept of a visitor, and for how long."""
