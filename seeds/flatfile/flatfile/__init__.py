"""Fixed-width and delimited records: layouts, codes, dialects, readers and writers."""

from flatfile.codes import check_digit, overpunch, unpunch
from flatfile.dialect import Dialect, DialectError, sniff
from flatfile.fields import Field, FieldError
from flatfile.layout import Layout, LayoutError, fold
from flatfile.reader import Reader, RecordError
from flatfile.writer import Writer, wrap

__version__ = "1.0.0"

__all__ = [
    "Dialect",
    "DialectError",
    "Field",
    "FieldError",
    "Layout",
    "LayoutError",
    "Reader",
    "RecordError",
    "Writer",
    "check_digit",
    "fold",
    "overpunch",
    "sniff",
    "unpunch",
    "wrap",
]
