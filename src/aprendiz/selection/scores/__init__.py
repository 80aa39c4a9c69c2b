"""What one column says about the target: sums over the rows, and the statistic and p-value that follow from them."""
