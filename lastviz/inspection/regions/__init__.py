"""Regions of leaves in a plane: exact polygons, bands, rasters, slices."""
