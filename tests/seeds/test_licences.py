"""The files that say who owns a seed and what others may do with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bebug.seeds import licences, open_workspace

Write = Callable[[Path, Mapping[str, str | bytes]], Path]
HERE = Path(sys.executable)


def test_licence_and_notice_are_found_and_code_of_that_name_is_not(repository: Path, write: Write) -> None:
    kept = {
        "LICENSE": b"MIT\r\n\xff",
        "LICENCE.md": b"x",
        "LICENSE-APACHE": b"x",
        "license.txt": b"lower",
        "COPYING.LESSER": b"x",
        "NOTICE": b"x",
        "AUTHORS.rst": b"x",
        "LICENSES/MIT.txt": b"x",
        "UNLICENSE": b"x",
    }
    others = {
        "licenses.py": "",
        "licensing.txt": "",
        "notice_board.toml": "",
        "docs/LICENSE": "",
        "README": "",
    }
    write(repository, {**kept, **others})
    (repository / "COPYING").symlink_to("nowhere")
    with open_workspace(str(repository), python=HERE) as workspace:
        assert licences(workspace) == kept
        assert list(licences(workspace)) == sorted(kept)


def test_a_project_inside_a_repository_has_its_own_licence_and_that_above(
    tmp_path: Path, write: Write
) -> None:
    files = {"pytest.ini": "", "LICENSE": "outer", "a/LICENSE": "inner", "a/a.py": "", "b/LICENSE": "other"}
    with open_workspace(str(write(tmp_path / "mono", files) / "a"), python=HERE) as workspace:
        assert licences(workspace) == {"LICENSE": b"outer", "a/LICENSE": b"inner"}


def test_a_seed_without_a_licence_file_has_none(repository: Path) -> None:
    with open_workspace(str(repository), python=HERE) as workspace:
        assert licences(workspace) == {}
