"""The page *privacy*: the data kept of a visitor, and for how long."""
