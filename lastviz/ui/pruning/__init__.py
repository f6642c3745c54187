"""The page *pruning*: how far a tree should be cut back, by which price, and who would cut."""
