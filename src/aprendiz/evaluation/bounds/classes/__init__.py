"""Classes of rules: in how many ways they label points, the bounds that follow, and the class that a fitted model is from."""
