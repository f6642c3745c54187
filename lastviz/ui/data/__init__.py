"""The page *data*: What am I learning from."""
