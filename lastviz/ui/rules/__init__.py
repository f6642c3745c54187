"""The page *rules*: the rules of the tree."""
