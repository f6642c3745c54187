"""The page *data*: the data to learn from."""
