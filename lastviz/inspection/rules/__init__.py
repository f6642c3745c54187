"""Rules of a tree with their supports, and the path of one sample."""
