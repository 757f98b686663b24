import pytest

from ledger.accounts import (
    AccountError,
    abbreviate,
    build_tree,
    check_name,
    is_within,
    lineage,
    truncate,
)


def test_check_name_returns_the_name():
    assert check_name("Assets:Cash Box") == "Assets:Cash Box"


@pytest.mark.parametrize("name", ["", ":Cash", "A:B: C"])
def test_check_name_rejects_empty_and_padded_parts(name):
    with pytest.raises(AccountError, match="is not a part"):
        check_name(name)


def test_lineage():
    assert lineage("A") == ["A"]
    assert lineage("A:B:C") == ["A", "A:B", "A:B:C"]


def test_truncate():
    assert truncate("A:B:C", 1) == "A"
    assert truncate("A:B:C", 2) == "A:B"
    assert truncate("A:B:C", 4) == "A:B:C"
    assert truncate("A:B:C", None) == "A:B:C"


def test_truncate_needs_a_depth_of_one_or_more():
    with pytest.raises(AccountError):
        truncate("A:B:C", 0)


def test_an_account_is_within_itself_and_what_is_above():
    assert is_within("A:B", "A:B")
    assert is_within("A:B", "A")
    assert is_within("A:B", None)


def test_an_account_is_not_within_its_child_or_another():
    assert not is_within("A:B", "A:B:C")
    assert not is_within("A:B", "B")


def test_an_account_is_not_within_the_beginning_of_a_name():
    assert not is_within("Assets:Cash", "Asset")


@pytest.mark.parametrize(
    ("width", "short"),
    [
        (23, "Expenses:Food:Groceries"),
        (16, "Ex:Fo:Groceries"),
        (5, "Ex:Fo:Groceries"),
    ],
)
def test_abbreviate(width, short):
    assert abbreviate("Expenses:Food:Groceries", width) == short


def test_abbreviate_leaves_a_name_of_one_part():
    assert abbreviate("Groceries", 5) == "Groceries"


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


def test_walk_to_a_depth(tree):
    assert [node.name for node in tree.walk(1)] == ["Assets", "Expenses"]
    assert len(list(tree.walk(2))) == 5
    assert list(tree.walk(0)) == []


def test_depth_and_label(tree):
    food = tree.find("Expenses:Food")
    assert (food.depth, food.label) == (2, "Food")
    assert tree.depth == 0


def test_find_gives_none_for_an_unknown_account(tree):
    assert tree.find("Income") is None
    assert tree.find("Assets:Cash:Coins") is None
    assert tree.find("Income:Salary:Bonus") is None


def test_nearest(tree):
    assert tree.nearest("Assets:Cash:Coins").name == "Assets:Cash"
    assert tree.nearest("Assets:Gold:Coins").name == "Assets"
    assert tree.nearest("Income") is tree


def test_require_finds_what_is_there(tree):
    assert tree.require("Assets:Cash") is tree.find("Assets:Cash")
    assert len(list(tree.walk())) == 6


def test_require_checks_the_name(tree):
    with pytest.raises(AccountError):
        tree.require("Assets::Cash")
