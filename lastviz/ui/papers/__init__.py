"""The page *papers*: the printed tables beside our figures, and what their claims come to."""
