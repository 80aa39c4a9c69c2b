"""Classification by a network: columns as codes, the arrows around the class, and its posterior."""
