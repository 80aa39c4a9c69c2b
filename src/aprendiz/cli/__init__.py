"""The command line: `aprendiz run`, `predict`, `show`, `methods`."""
