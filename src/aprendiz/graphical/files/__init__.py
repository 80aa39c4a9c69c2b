"""Networks in files: what is read and written, dialect by dialect."""
