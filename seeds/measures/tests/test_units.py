import unittest
from fractions import Fraction

from measures.units import NOTHING, UNITS, Unit, UnitError, find_unit, require_unit, suggest


class LookUpTest(unittest.TestCase):
    def assert_unit(self, text, factor, dimension):
        unit = find_unit(text)
        self.assertIsNotNone(unit, text)
        self.assertEqual(unit.factor, Fraction(factor))
        self.assertEqual(unit.dimension, dimension)

    def test_names(self):
        length, mass = (("m", 1),), (("g", 1),)
        cases = [
            ("m", 1, length),
            ("metres", 1, length),
            (" ft ", "0.3048", length),
            ('"', "0.0254", length),
            ("kg", 1000, mass),
            ("µg", "1e-6", mass),
            ("μg", "1e-6", mass),
            ("ug", "1e-6", mass),
            ("t", 1000000, mass),
            ("%", "0.01", ()),
        ]
        for text, factor, dimension in cases:
            with self.subTest(text, factor=factor):
                self.assert_unit(text, factor, dimension)

    def test_prefixes(self):
        powers = {"n": -9, "µ": -6, "m": -3, "c": -2, "k": 3, "M": 6, "G": 9}
        for prefix, power in powers.items():
            with self.subTest(prefix):
                unit = find_unit(f"{prefix}m")
                self.assertEqual(unit.factor, Fraction(10) ** power)
                self.assertEqual(unit.symbol, f"{prefix}m")

    def test_a_prefixed_alias_has_the_symbol_of_its_unit(self):
        self.assertEqual(find_unit("ml").symbol, "mL")
        self.assertEqual(find_unit("l").symbol, "L")
        self.assertEqual(find_unit("ml").factor, Fraction(1, 1000000))

    def test_names_win_over_prefixes(self):
        self.assertEqual(find_unit("min").factor, 60)
        self.assertEqual(find_unit("ft").factor, Fraction("0.3048"))

    def test_what_takes_no_prefix(self):
        for text in ("kft", "mh", "kkm", "k", "µ", "xm", "kmetre"):
            with self.subTest(text):
                self.assertIsNone(find_unit(text))

    def test_made_of_others(self):
        speed = (("m", 1), ("s", -1))
        cases = [
            ("m/s", 1, speed),
            ("km/h", Fraction(5, 18), speed),
            ("m*s", 1, (("m", 1), ("s", 1))),
            ("kg·m/s²", 1000, (("g", 1), ("m", 1), ("s", -2))),
            ("kg*m/s^2", 1000, (("g", 1), ("m", 1), ("s", -2))),
            ("s⁻¹", 1, (("s", -1),)),
            ("cm²", Fraction(1, 10000), (("m", 2),)),
            ("m/m", 1, ()),
            ("m/s*s", 1, (("m", 1),)),
            ("m^-1", 1, (("m", -1),)),
        ]
        for text, factor, dimension in cases:
            with self.subTest(text):
                self.assert_unit(text, factor, dimension)

    def test_a_product_keeps_the_symbol_as_written(self):
        self.assertEqual(find_unit(" m/s² ").symbol, "m/s²")

    def test_newtons_are_made_of_the_base_units(self):
        self.assertTrue(find_unit("N").fits(find_unit("kg*m/s^2")))
        self.assertEqual(find_unit("N").factor, find_unit("kg*m/s^2").factor)
        self.assertTrue(find_unit("W").fits(find_unit("N*m/s")))

    def test_nonsense(self):
        for text in ("m/", "/s", "m//s", "m^", "m/s^x", "qux", "m*qux", "3"):
            with self.subTest(text):
                self.assertIsNone(find_unit(text))

    def test_nothing(self):
        self.assertIsNone(find_unit(None))
        self.assertIs(find_unit(""), NOTHING)
        self.assertIs(find_unit("  "), NOTHING)


class UnitTest(unittest.TestCase):
    def test_fits(self):
        metre, second = UNITS["m"], UNITS["s"]
        self.assertTrue(metre.fits(UNITS["ft"]))
        self.assertFalse(metre.fits(second))
        self.assertFalse(metre.fits(None))

    def test_powers(self):
        area = UNITS["ft"].power(2)
        self.assertEqual((area.symbol, area.dimension), ("ft^2", (("m", 2),)))
        self.assertEqual(area.factor, Fraction("0.09290304"))
        self.assertEqual(UNITS["ft"].power(2, "sqft").symbol, "sqft")
        self.assertEqual(UNITS["ft"].power(2, "").symbol, "")
        self.assertEqual(UNITS["m"].power(0).dimension, ())

    def test_a_unit_with_an_offset_stands_alone(self):
        celsius = UNITS["°C"]
        self.assertEqual(celsius.power(1).offset, Fraction("273.15"))
        with self.assertRaisesRegex(UnitError, "°C has no powers"):
            celsius.power(2)
        for pair in ((celsius, UNITS["m"]), (UNITS["m"], celsius)):
            with self.subTest(pair), self.assertRaisesRegex(UnitError, "x: .* stands alone"):
                pair[0].times(pair[1], "x")

    def test_product(self):
        unit = UNITS["ft"].times(UNITS["lb"], "ft·lb")
        self.assertIsInstance(unit, Unit)
        self.assertEqual(unit.dimension, (("g", 1), ("m", 1)))
        self.assertEqual(unit.factor, Fraction("0.3048") * Fraction("453.59237"))


class SuggestionTest(unittest.TestCase):
    def test_near_names(self):
        self.assertEqual(suggest("metters"), ["meters", "meter"])
        self.assertEqual(suggest("metters", 1), ["meters"])
        self.assertEqual(suggest("MINUTS "), ["minutes", "minute"])

    def test_no_names(self):
        self.assertEqual(suggest("metters", 0), [])
        self.assertEqual(suggest("metters", -1), [])
        self.assertEqual(suggest("zzzzzz"), [])

    def test_the_error_tells_them(self):
        with self.assertRaises(UnitError) as caught:
            require_unit(" secnds ")
        self.assertEqual(
            str(caught.exception),
            "there is no unit 'secnds'; did you mean seconds or second?",
        )
        with self.assertRaisesRegex(UnitError, r"^there is no unit 'ohmm'; did you mean ohm\?$"):
            require_unit("ohmm")
        with self.assertRaisesRegex(UnitError, "^there is no unit 'zzzzzz'$"):
            require_unit("zzzzzz")

    def test_what_is_there_is_given(self):
        self.assertIs(require_unit("h"), UNITS["hours"])


if __name__ == "__main__":
    unittest.main()
