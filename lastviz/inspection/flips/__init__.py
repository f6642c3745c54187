"""The smallest change of a sample that changes its class: over boxes, hyperplanes, forests."""
