"""The kinds of files that hold tables, a file for each, and the list of them (all_formats.py)."""
