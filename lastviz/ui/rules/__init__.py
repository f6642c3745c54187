"""The page *rules*: What does the tree say."""
