"""Session logs of other agents → sessions, tasks and trajectories of ours."""
