"""A class to peel off: separability, the order of classes, and machines with kernels."""
