"""Two branches where columns are nominal, weighted or missing: thresholds and subsets."""
