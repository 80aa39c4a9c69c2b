"""Steps that lower the loss: batches, optimizers, L-BFGS."""
