"""What must not be kept, and what must not be shown: credentials, and data of one tenant."""
