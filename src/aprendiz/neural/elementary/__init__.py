"""Elementary functions: value, partial derivatives, domain."""
