"""Numbers, labels, tables and names of measures as text. For whatever prints or draws: records, pictures, reports."""
