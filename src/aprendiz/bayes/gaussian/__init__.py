"""Classes that are normal: their moments, covariances by axes, shrinkage, shrunken centroids."""
