"""What decides that a row is an outlier: limits of cells, ellipsoids, densities; and the report of the rows found."""
