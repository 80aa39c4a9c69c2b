"""The likelihood of each kind of model: what it is the probability of, its value, and how many numbers were fitted."""
