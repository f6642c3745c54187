"""The page *splits*: Why this split."""
