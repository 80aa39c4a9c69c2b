"""A tree for people and for other programs: rules, text, explanations, worked nodes, JSON, Python, SQL, Graphviz."""
