"""One reader per format. Each turns a file into conversations and knows nothing of the others."""
