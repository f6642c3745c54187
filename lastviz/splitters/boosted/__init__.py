"""Splits of one tree of a boosted sum: by histograms, under bounds that keep it monotone."""
