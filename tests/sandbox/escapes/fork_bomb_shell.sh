# The classic, in the shell.
# killed_by: processes
# limits: processes=32 seconds=20
bomb() { bomb | bomb & }
bomb
sleep 10
