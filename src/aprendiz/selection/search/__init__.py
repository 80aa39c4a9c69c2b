"""What wrappers share: subsets judged on inner folds, and the ways of looking for a good one."""
