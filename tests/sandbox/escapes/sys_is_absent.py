"""Reads and writes the kernel's switches."""

from prelude import held, must_fail

must_fail(open, "/sys/kernel/uevent_helper", "w")
must_fail(open, "/sys/fs/cgroup/cgroup.procs", "w")
must_fail(open, "/sys/power/state", "w")
held()
