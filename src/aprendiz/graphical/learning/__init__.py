"""From counts to tables: priors, and expected counts where cells are missing."""
