"""EDGE: find, describe, fetch and install seed repositories."""

from bebug.seeds.catalogue import SeedFile, catalogue
from bebug.seeds.fetch import condition, fetch
from bebug.seeds.licences import licences
from bebug.seeds.shelves import mined_folder, shelf
from bebug.seeds.sources import is_test_file, source_files, test_files
from bebug.seeds.specs import is_path, short_name
from bebug.seeds.workspace import describe, open_workspace, untouched

__all__ = [
    "SeedFile",
    "catalogue",
    "condition",
    "describe",
    "fetch",
    "is_path",
    "is_test_file",
    "licences",
    "mined_folder",
    "open_workspace",
    "shelf",
    "short_name",
    "source_files",
    "test_files",
    "untouched",
]
