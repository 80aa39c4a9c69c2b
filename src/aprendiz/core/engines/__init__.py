"""Engines: ordered maps over re-iterable blocks. `threads` computes, `files` reads."""
