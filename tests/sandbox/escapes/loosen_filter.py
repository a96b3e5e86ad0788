"""Takes the filter or the promise not to gain rights off again.

tells: call mount
"""

from prelude import escaped, held, must_be_refused, must_fail, system_call

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
must_fail(system_call, "prctl", PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0)
must_fail(system_call, "prctl", PR_SET_SECCOMP, 0, 0, 0, 0)
with open("/proc/self/status") as status:
    text = status.read()
if "NoNewPrivs:\t1" not in text or "Seccomp:\t2" not in text:
    escaped("there is no filter")
must_be_refused("mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None)
held()
