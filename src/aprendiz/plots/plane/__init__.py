"""Pictures over two columns of a table: the grid that a model is asked about, regions of classes, marks of rows."""
