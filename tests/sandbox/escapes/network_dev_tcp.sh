# Uses the shell's own network files.
# tells: network socket\(AF_INET\)
port=$(python -c 'import json, os; print(json.loads(os.environ["HOST_FACTS"])["tcp_port"])')
if bash -c "echo stolen > /dev/tcp/127.0.0.1/$port" 2>/dev/null; then echo ESCAPED; else echo HELD; fi
