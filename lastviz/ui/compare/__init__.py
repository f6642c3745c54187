"""The page *compare*: studies of algorithms on data sets, and what may be concluded from them."""
