"""Parts of explicit features: maps to a few columns whose inner products come near to a kernel."""
