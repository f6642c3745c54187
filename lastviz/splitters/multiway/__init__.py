"""One branch for each category, and thresholds beside them; missing values in shares."""
