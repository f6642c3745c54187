"""The page *textbook*: How does the arithmetic go."""
