import pytest

from ledger.accounts import (
    AccountError,
    abbreviate,
    build_tree,
    check_name,
    depth_of,
    is_within,
    lineage,
    parent_of,
    truncate,
)


def test_check_name_returns_the_name():
    assert check_name("Assets:Cash Box") == "Assets:Cash Box"


@pytest.mark.parametrize(
    ("name", "position"), [("", 1), (":Cash", 1), ("Assets:", 2), ("A:B: C", 3), ("A: :C", 2)]
)
def test_check_name_says_which_part_is_wrong(name, position):
    with pytest.raises(AccountError, match=f"part {position} of"):
        check_name(name)


@pytest.mark.parametrize(
    ("name", "parent"), [("A", None), ("A:B", "A"), ("A:B:C", "A:B"), (":B", "")]
)
def test_parent_of(name, parent):
    assert parent_of(name) == parent


@pytest.mark.parametrize(
    ("name", "names"), [("A", ["A"]), ("A:B", ["A", "A:B"]), ("A:B:C", ["A", "A:B", "A:B:C"])]
)
def test_lineage(name, names):
    assert lineage(name) == names
    assert depth_of(name) == len(names)


@pytest.mark.parametrize(
    ("depth", "short"), [(1, "A"), (2, "A:B"), (3, "A:B:C"), (4, "A:B:C"), (None, "A:B:C")]
)
def test_truncate(depth, short):
    assert truncate("A:B:C", depth) == short


@pytest.mark.parametrize("depth", [0, -1])
def test_truncate_needs_a_depth_of_one_or_more(depth):
    with pytest.raises(AccountError):
        truncate("A:B:C", depth)


@pytest.mark.parametrize(
    ("ancestor", "within"),
    [("A:B", True), ("A", True), (None, True), ("A:B:C", False), ("A:Bank", False), ("B", False)],
)
def test_is_within(ancestor, within):
    assert is_within("A:B", ancestor) is within


@pytest.mark.parametrize(
    ("width", "short"),
    [
        (23, "Expenses:Food:Groceries"),
        (22, "Ex:Food:Groceries"),
        (17, "Ex:Food:Groceries"),
        (16, "Ex:Fo:Groceries"),
        (15, "Ex:Fo:Groceries"),
        (14, "Ex:Fo:Groceri…"),
        (5, "Ex:F…"),
    ],
)
def test_abbreviate(width, short):
    assert abbreviate("Expenses:Food:Groceries", width) == short


def test_abbreviate_cuts_a_single_part_at_its_end():
    assert abbreviate("Groceries", 9) == "Groceries"
    assert abbreviate("Groceries", 8) == "Groceri…"


@pytest.fixture
def tree():
    return build_tree(["Expenses:Food:Groceries", "Assets:Cash", "Expenses:Rent"])


def test_walk_goes_down_in_order_of_name(tree):
    assert [node.name for node in tree.walk()] == [
        "Assets",
        "Assets:Cash",
        "Expenses",
        "Expenses:Food",
        "Expenses:Food:Groceries",
        "Expenses:Rent",
    ]


@pytest.mark.parametrize(("depth", "count"), [(-1, 0), (0, 0), (1, 2), (2, 5), (3, 6), (9, 6)])
def test_walk_to_a_depth(tree, depth, count):
    assert len(list(tree.walk(depth))) == count


def test_depth_and_label(tree):
    food = tree.find("Expenses:Food")
    assert (food.depth, food.label) == (2, "Food")
    assert tree.depth == 0


def test_find_gives_none_for_an_unknown_account(tree):
    assert tree.find("Income") is None
    assert tree.find("Assets:Cash:Coins") is None


def test_require_finds_what_is_there(tree):
    assert tree.require("Assets:Cash") is tree.find("Assets:Cash")
    assert len(list(tree.walk())) == 6


def test_require_checks_the_name(tree):
    with pytest.raises(AccountError):
        tree.require("Assets::Cash")
