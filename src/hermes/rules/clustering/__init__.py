"""Which requests mean the same thing, whatever their files, dates and names."""
