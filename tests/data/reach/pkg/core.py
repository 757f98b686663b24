def direct(i, n):
    return i < n


def threaded(i, n):
    return i < n


def by_session(n):
    return [i for i in range(10) if i < n]


def by_module_end(log):
    log.append("end")


def forked(pair):
    return pair[0] < pair[1]


def spanning(
    i,
    n=2,
):
    return (
        i
        < n
    )


OPERATIONS = {"lt": lambda a, b: a < b}


def main(argv):
    if len(argv) < 1:
        print("usage")
        return 2
    print(argv[0])
    return 0


def unused(x):
    return x + 1
