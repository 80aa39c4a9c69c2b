"""Parts of the transformers of text: how a document becomes tokens, how terms are counted and weighed, how they are kept."""
