"""Places on paper, in points, before anything is drawn: boxes of a tree, widths of texts. For the pictures of trees."""
