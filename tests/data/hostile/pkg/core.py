import os


def below(i, n):
    return i < n


def in_child(code):
    pid = os.fork()
    if pid == 0:
        if code >= 0:
            os._exit(code)
        return None
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
