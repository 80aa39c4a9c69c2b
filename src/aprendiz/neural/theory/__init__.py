"""Networks that are built, not trained: what proofs of approximation construct."""
