"""Where tables come from: packed files, archives, folders, several files; each becomes plain files that can be read."""
