"""The page *monotone*: Is it monotone."""
