"""What columns say about the target: estimates of mutual information by counts and by nearest neighbours, columns as codes, and
the greedy criteria made of them."""
