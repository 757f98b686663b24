"""Plant known bugs in real code, prove them, and measure who notices."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("bebug")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"
