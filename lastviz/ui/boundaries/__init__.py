"""The page *boundaries*: Where does each algorithm draw the line."""
