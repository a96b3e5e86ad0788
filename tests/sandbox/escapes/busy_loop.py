"""Burns the processor.

killed_by: cpu
limits: cpu_seconds=1 seconds=30
"""

while True:
    pass
