"""What a tree says: its rules with supports, the path of one sample."""
