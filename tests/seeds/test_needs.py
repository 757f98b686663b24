"""What tests need, read from each of the places where projects write it down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bebug.seeds.helpers import libraries_of
from bebug.seeds.metadata import read_project
from bebug.seeds.needs import needs, unpinned, without_itself

Write = Callable[[Path, Mapping[str, str | bytes]], Path]

PLACES = {
    "tox": (
        "tox.ini",
        "[testenv]\ndeps =\n    helper>=1\n    py38: other\n    {[base]deps}\n",
        "tox.ini [testenv]",
    ),
    "tox-toml": ("tox.toml", '[env_run_base]\ndeps = ["helper>=1"]\n', "tox.toml"),
    "tox-in-pyproject": ("pyproject.toml", '[tool.tox.env_run_base]\ndeps = ["helper>=1"]\n', "tool.tox"),
    "tox-legacy": (
        "pyproject.toml",
        '[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ndeps = helper>=1\n"""\n',
        "tool.tox.legacy_tox_ini [testenv]",
    ),
    "setup.cfg": ("setup.cfg", "[options]\ntests_require =\n    helper>=1\n", "setup.cfg tests_require"),
    "setup.py": (
        "setup.py",
        'import setuptools\nNEEDED = ["helper>=1"]\nsetuptools.setup(name="p", tests_require=NEEDED)\n',
        "setup.py tests_require",
    ),
    "poetry": (
        "pyproject.toml",
        '[tool.poetry.group.test.dependencies]\nhelper = "^1"\nlocal = {path = "x"}\n',
        "tool.poetry.group.test",
    ),
    "pdm": (
        "pyproject.toml",
        '[tool.pdm.dev-dependencies]\ntest = ["helper>=1"]\n',
        "tool.pdm.dev-dependencies.test",
    ),
    "hatch": (
        "pyproject.toml",
        '[tool.hatch.envs.test]\ndependencies = ["helper>=1"]\n',
        "tool.hatch.envs.test",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_place_is_read_and_named(tmp_path: Path, write: Write, place: str) -> None:
    name, text, said = PLACES[place]
    folder = write(tmp_path, {name: text})
    found = needs(read_project(folder), folder, dev=False)
    assert found.loose == ("helper>=1",)
    assert [words for words in found.said if words.startswith(said)]


@pytest.mark.parametrize("dev", ["dev-dependencies", "group.dev.dependencies"])
def test_what_is_for_developers_comes_in_where_asked_for(tmp_path: Path, write: Write, dev: str) -> None:
    folder = write(tmp_path, {"pyproject.toml": f'[tool.poetry.{dev}]\npython = "^3.8"\nhelper = "*"\n'})
    assert needs(read_project(folder), folder, dev=False).loose == ()
    assert needs(read_project(folder), folder, dev=True).loose == ("helper",)


def test_extras_and_groups_are_known_by_the_names_that_projects_give_them(
    tmp_path: Path, write: Write
) -> None:
    text = '[project]\nname = "p"\nversion = "1"\n[project.optional-dependencies]\n'
    text += "test = []\ndocs = []\nTesting = []\nunit-tests = []\nlatest = []\ndevelop = []\n"
    text += "[dependency-groups]\ntests = []\ndev = []\nlint = []\n"
    folder = write(tmp_path, {"pyproject.toml": text})
    tests, every = (needs(read_project(folder), folder, dev=dev) for dev in (False, True))
    assert (tests.extras, tests.groups) == (("test", "Testing", "unit-tests"), ("tests",))
    assert (every.extras, every.groups) == (("test", "Testing", "unit-tests", "develop"), ("tests", "dev"))


def test_tox_may_name_files_extras_and_groups(tmp_path: Path, write: Write) -> None:
    text = '[project]\nname = "p"\nversion = "1"\n[project.optional-dependencies]\nodd = []\n'
    text += "[dependency-groups]\nstrange = []\n"
    tox = "[testenv]\nextras = odd, unknown\ndependency_groups = strange\n"
    tox += "deps =\n    -r {toxinidir}/ci/all.txt\n    -r../outside.txt\n    -rmissing.txt\n"
    files = {"p/pyproject.toml": text, "p/tox.ini": tox, "p/ci/all.txt": "", "outside.txt": ""}
    folder = write(tmp_path, files) / "p"
    found = needs(read_project(folder), folder, dev=False)
    assert (found.extras, found.groups, found.files) == (("odd",), ("strange",), ("ci/all.txt",))


def test_requirements_files_are_found_by_their_usual_names(tmp_path: Path, write: Write) -> None:
    tests = [
        "requirements-test.txt",
        "requirements_tests.txt",
        "test-requirements.txt",
        "requirements/tests.txt",
    ]
    tests += ["tests/requirements.txt", "test/requirements-all.txt"]
    dev = ["requirements.txt", "dev-requirements.txt", "requirements/dev.txt", "requirements_dev.txt"]
    folder = write(
        tmp_path, dict.fromkeys([*tests, *dev, "requirements/docs.txt", "docs/requirements.txt"], "")
    )
    assert sorted(needs(None, folder, dev=False).files) == sorted(tests)
    assert sorted(needs(None, folder, dev=True).files) == sorted(tests + dev)


def test_of_files_for_several_pythons_one_is_taken(tmp_path: Path, write: Write) -> None:
    names = ["requirements-tests36.txt", "requirements-tests39.txt", "requirements-tests-py3.10.txt"]
    folder = write(tmp_path, dict.fromkeys(names, ""))
    assert needs(None, folder, dev=False).files == ("requirements-tests-py3.10.txt",)
    (folder / "requirements-tests.txt").touch()
    assert needs(None, folder, dev=False).files == ("requirements-tests.txt",)


def test_lines_that_install_the_project_itself_are_taken_out(tmp_path: Path, write: Write) -> None:
    test = "-r base.txt\n-e .\n.[test]\n-e ../other\nhelper==1\n"
    folder = write(
        tmp_path, {"test.txt": test, "base.txt": "--editable=.[all]  # us\nfile:.\n./dist/x.whl\n"}
    )
    without_itself(folder, ["test.txt"])
    assert (folder / "test.txt").read_text() == "-r base.txt\n-e ../other\nhelper==1\n"
    assert (folder / "base.txt").read_text() == "./dist/x.whl\n"


def test_pins_can_be_left_out(tmp_path: Path, write: Write) -> None:
    text = "# a comment\na==1 \\\n    --hash=sha256:00\n"
    text += 'B[x]>=2,<3 ; python_version < "4"  # why\n-r more.txt\n\n'
    folder = write(tmp_path, {"requirements-test.txt": text, "more.txt": "c~=1\ngit+https://h/d\n"})
    found = unpinned(needs(None, folder, dev=False), folder)
    assert found.files == ()
    assert sorted(found.loose) == ['B[x]; python_version < "4"', "a", "c"]
    assert found.said[-1] == "all without their pins"


def test_helpers_that_tests_plainly_use_are_named(tmp_path: Path, write: Write) -> None:
    test = "import hypothesis.strategies as st\nfrom freezegun import freeze_time\nimport pytest, os\n"
    test += "import unknown_thing\nimport six\n\n@pytest.mark.asyncio\nasync def test_a(mocker, datadir):\n"
    test += "    pass\n"
    files = {"tests/test_a.py": test, "six.py": "", "pkg/a.py": "import numpy\n"}
    files["tests/conftest.py"] = "import pytest\n\n@pytest.fixture\ndef datadir():\n    return 1\n"
    expected = ("freezegun", "hypothesis", "pytest-asyncio", "pytest-mock")
    assert libraries_of(write(tmp_path, files)) == expected
