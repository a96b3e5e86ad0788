"""How alike two texts are: by their words (BM25), by their meaning (vectors), and by both."""
