"""Parts of kernel k-means: rows that are seen through their Gram matrix, centres in feature space, and starts."""
