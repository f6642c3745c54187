"""The tree of fewest training errors: exact, by bounds over intervals of cuts."""
