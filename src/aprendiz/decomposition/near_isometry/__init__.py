"""Random projections: how many coordinates keep the distances, the matrices, and how well they did."""
