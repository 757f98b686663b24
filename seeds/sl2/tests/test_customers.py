from kiosk.customers import User, find, greeting, is_regular

ADA = User("17", "Ada", visits=10)
BOB = User("4", "Bob", visits=9)


def test_a_card_finds_its_user():
    assert find([ADA, BOB], "4") == BOB


def test_a_card_that_was_never_given_out_finds_nobody():
    assert find([ADA, BOB], "5") is None


def test_a_user_is_greeted_by_name():
    assert greeting(ADA) == "Welcome back, Ada!"


def test_an_unknown_card_is_greeted_too():
    assert greeting(find([ADA, BOB], "5")) == "Welcome!"


def test_a_regular_came_ten_times():
    assert is_regular(ADA)
    assert not is_regular(BOB)
