"""The page *home*: See how a decision tree thinks."""
