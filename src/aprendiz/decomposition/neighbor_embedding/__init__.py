"""Maps in which neighbours stay neighbours: what t-SNE is made of."""
