"""A method in words: what its page and its class say, in order, for `aprendiz methods METHOD`."""
