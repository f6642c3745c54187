"""Which part of a plane belongs to which leaf: exact polygons, bands, rasters, slices."""
