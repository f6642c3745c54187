"""The page *quiz*: questions about algorithms, put together, played, asked in a class."""
