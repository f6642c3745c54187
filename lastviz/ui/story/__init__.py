"""The page *story*: scenes that the reader collected, in order, with captions and notes."""
