"""What all decision trees share: the nodes as arrays, the fit and the prediction of a tree of classes or of numbers."""
