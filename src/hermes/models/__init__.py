"""Models behind ports: chat models, embedders, spend limits. Each is imported when it is used."""
