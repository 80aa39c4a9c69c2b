"""Which columns are kept, once each has a score: the best k, a fraction, those above a threshold, few false findings."""
