"""The page *home*: What can I see here."""
