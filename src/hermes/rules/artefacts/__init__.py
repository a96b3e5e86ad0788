"""Which files a run read and wrote, and what was in them, as far as its log shows it."""
