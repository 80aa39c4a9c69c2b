"""The dual problem of support vector machines: how it is written, how it is solved, and what proves the answer."""
