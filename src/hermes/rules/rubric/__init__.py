"""The task-quality rubric: how much there is to learn from a task, told from its words alone."""
