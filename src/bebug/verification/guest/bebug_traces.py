"""What shots leave in the files that the next ones find: whether anything changed.

Runs in the seed's interpreter; standard library only.
"""

import os

OWN = ("pytest-of-", "__pycache__")  # what pytest and Python make, each run anew or for good


class Traces:
    """The files below *folders*, as they were when last looked at, but for names that begin as *own*."""

    def __init__(self, folders, own=OWN):
        self.folders = [folder for folder in dict.fromkeys(folders) if folder and os.path.isdir(folder)]  # noqa: PTH112
        self.own = own
        self.files = self.look()

    def changed(self):
        """The paths of what came, went or changed since the last look."""
        before, self.files = self.files, self.look()
        if before == self.files:
            return []
        every = sorted({*before, *self.files})
        return [path for path in every if before.get(path, "") != self.files.get(path, "")]

    def look(self):
        found = {}
        pending = list(self.folders)
        while pending:
            folder = pending.pop()
            try:
                entries = list(os.scandir(folder))
            except OSError:
                found[folder] = None
                continue
            for entry in entries:
                if entry.name.startswith(self.own):
                    continue
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    found[entry.path] = None
                    continue
                if entry.is_dir(follow_symlinks=False):
                    found[entry.path] = status.st_mode
                    pending.append(entry.path)
                else:
                    found[entry.path] = status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino
        return found
