"""The page *growth*: How does the tree come to be."""
