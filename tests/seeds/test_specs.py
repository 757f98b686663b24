"""What `--seed SPEC` is read as, and what is refused before git or pip hear of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bebug.errors import UsageError
from bebug.seeds.specs import Project, Revision, elsewhere, is_path, short_name


@pytest.mark.parametrize(
    ("spec", "name", "version"),
    [
        ("pypi:toolz==1.2.0", "toolz", "1.2.0"),
        ("pypi:My_Pkg.x == 1!2.0rc1+local", "My_Pkg.x", "1!2.0rc1+local"),
        ("pypi:toolz", "toolz", ""),
    ],
)
def test_a_project_of_the_index_has_a_name_and_perhaps_a_version(spec: str, name: str, version: str) -> None:
    assert elsewhere(spec) == Project(name=name, version=version)
    assert not is_path(spec)


@pytest.mark.parametrize(
    "spec",
    ["pypi:", "pypi:--index-url=x", "pypi:a>=1", "pypi:a==", "pypi:a==--x", "pypi:a[x]==1", "pypi:../a"],
)
def test_what_is_no_project_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="write pypi:NAME==VERSION"):
        elsewhere(spec)


@pytest.mark.parametrize(
    ("spec", "url", "rev", "subfolder"),
    [
        ("git+https://host/o/r.git@v1.0", "https://host/o/r.git", "v1.0", "."),
        ("git+https://host/o/r@feature/x", "https://host/o/r", "feature/x", "."),
        ("git+https://host/o/r", "https://host/o/r", "", "."),
        ("git+ssh://git@host:22/o/r.git@abc123", "ssh://git@host:22/o/r.git", "abc123", "."),
        ("git+ssh://git@host/o/r.git", "ssh://git@host/o/r.git", "", "."),
        ("git+git@host:o/r.git@v1", "git@host:o/r.git", "v1", "."),
        ("git+file:///srv/r@v1#subdirectory=a/b", "file:///srv/r", "v1", "a/b"),
    ],
)
def test_an_address_ends_where_its_revision_begins(spec: str, url: str, rev: str, subfolder: str) -> None:
    assert elsewhere(spec) == Revision(url=url, rev=rev, local=False, subfolder=subfolder)
    assert not is_path(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "git+--upload-pack=touch x",
        "git+--upload-pack=x@v1",
        "git+https://host/r@--output=x",
        "git+ext::sh -c true",
        "git+ext::sh",
        "git+fd://17",
        "git+ssh://-oProxyCommand=x/y",
        "git+ssh://-l@host/y",
        "git+https://host/r@a b",
        "git+https://host/r\n@v1",
        "git+https://me:secret@host/r@v1",
        "git+https://host/r@v1#egg=x",
        "git+https://host/r@v1#subdirectory=../x",
        "git+https://host/r@v1#subdirectory=/x",
        "git+nothing-there",
        "git+",
    ],
)
def test_what_git_could_take_for_something_else_is_refused(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        elsewhere(spec)
    assert "\n" not in caught.value.message
    assert "secret" not in caught.value.message


def test_a_revision_of_a_folder_is_told_by_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "re@po" / ".git").mkdir(parents=True)
    (tmp_path / "re@po" / "inner").mkdir()
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path)
    top = str(tmp_path / "re@po")
    for spec, rev, subfolder in (
        ("re@po@v1@x", "v1@x", "."),
        ("./re@po/inner@HEAD~1", "HEAD~1", "inner"),
        (f"git+{top}@main", "main", "."),
        ("git+re@po", "", "."),
        ("git+re@po@v1#subdirectory=inner", "v1", "inner"),
    ):
        assert elsewhere(spec) == Revision(url=top, rev=rev, local=True, subfolder=subfolder)
    assert is_path("re@po@v1")
    assert elsewhere("re@po") is None
    assert elsewhere("nothing@v1") is None
    with pytest.raises(UsageError, match="is in no git repository"):
        elsewhere("plain@v1")
    with pytest.raises(UsageError, match="no address or revision"):
        elsewhere("re@po@--output=x")
    assert "re@po" in Revision(url=top, rev="", local=True).source
    assert str(tmp_path) not in Revision(url=top, rev="", local=True).source


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("toolz", "toolz"),
        ("./some/where", "where"),
        ("pypi:Inflection==0.5.1", "Inflection"),
        ("git+https://host/o/r.git@feature/x", "r-feature-x"),
        ("git+git@host:r/s.git", "s"),
        ("git+file:///srv/mono/@v1#subdirectory=libs/a", "mono-a-v1"),
    ],
)
def test_every_spec_has_a_short_name_for_a_folder(spec: str, name: str) -> None:
    assert short_name(spec) == name
