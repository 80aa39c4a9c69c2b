"""Clusters around centres: the search for the nearest centre, bounds that spare it, sums of clusters, starts. For k-means, its
mini-batch form and fuzzy c-means; mixtures and spectral clustering use the starts and the search.
"""
