"""The density behind principal components, and its fit to rows with missing cells."""
