"""Out-of-bag predictions: training rows, predicted by the members that were not trained on them."""
