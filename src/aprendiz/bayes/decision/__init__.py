"""From probabilities to decisions: costs by threshold, risk against coverage, joint densities on a line."""
