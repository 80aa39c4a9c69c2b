"""Parts that all pages of the laboratory share: style, header, tables of facts, pictures, numbers in the reader's language."""
