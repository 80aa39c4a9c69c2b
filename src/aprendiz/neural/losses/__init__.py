"""What the outputs cost, and the errors that flow back from them."""
