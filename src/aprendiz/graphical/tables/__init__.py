"""The tables of a network: who depends on whom, and with which probabilities."""
