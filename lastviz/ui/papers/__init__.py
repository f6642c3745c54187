"""The page *papers*: the printed tables beside our figures, and the outcome of their claims."""
