import unittest

from flatfile import Dialect, DialectError, sniff


class SplitTest(unittest.TestCase):
    def assert_split(self, line, values, **options):
        dialect = Dialect(**options)
        self.assertEqual(dialect.split(line), values)

    def test_plain(self):
        cases = {
            "": [""],
            "a": ["a"],
            "a,b,c": ["a", "b", "c"],
            ",": ["", ""],
            "a,": ["a", ""],
            ",,b": ["", "", "b"],
            " a , b ": [" a ", " b "],
            "größe,日本": ["größe", "日本"],
        }
        for line, values in cases.items():
            with self.subTest(line):
                self.assert_split(line, values)

    def test_quoted(self):
        cases = {
            '""': [""],
            '"a,b",c': ["a,b", "c"],
            'x,"y"': ["x", "y"],
            '"a""b"': ['a"b'],
            '""""': ['"'],
            '"",""': ["", ""],
            'a"b': ['a"b'],
        }
        for line, values in cases.items():
            with self.subTest(line):
                self.assert_split(line, values)

    def test_pairs_of_quotes(self):
        self.assert_split("„a;b“;c", ["a;b", "c"], delimiter=";", quote="„")
        self.assert_split("«a»»b»|«»", ["a»b", ""], delimiter="|", quote="«")
        self.assert_split("“x”,y", ["x", "y"], quote="“")

    def test_no_quotes(self):
        self.assert_split('"a,b"', ['"a', 'b"'], quote=None)

    def test_missing_values(self):
        self.assert_split("a,,b", ["a", None, "b"], missing="")
        self.assert_split('a,"",b', ["a", "", "b"], missing="")
        self.assert_split("NA,x,NAN", [None, "x", "NAN"], missing="NA")
        self.assert_split('"NA"', ["NA"], missing="NA")

    def test_errors(self):
        for line, column in (('"a', 1), ('x,"a', 3), ('"a""', 1)):
            with self.subTest(line), self.assertRaisesRegex(DialectError, "not closed") as caught:
                Dialect().split(line)
            self.assertEqual(caught.exception.column, column)
        for line, column in (('"a"b', 4), ('x,"a" ,y', 6)):
            with self.subTest(line), self.assertRaisesRegex(DialectError, "after a quote") as caught:
                Dialect().split(line)
            self.assertEqual(caught.exception.column, column)
            self.assertTrue(str(caught.exception).endswith(f"at column {column}"))


class JoinTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(Dialect().join(["a", "", "b c"]), "a,,b c")
        self.assertEqual(Dialect(";").join(["a,b", "c"]), "a,b;c")
        self.assertEqual(Dialect().join([]), "")

    def test_quoted_where_it_has_to_be(self):
        self.assertEqual(Dialect().join(["a,b", '"', 'x"y']), '"a,b","""",x"y')
        self.assertEqual(Dialect(quote="«").join(["a,»"]), "«a,»»»")

    def test_missing_values(self):
        dialect = Dialect(missing="NA")
        self.assertEqual(dialect.join(["a", None, "NA"]), 'a,NA,"NA"')
        self.assertEqual(Dialect().join([None, "x"]), ",x")

    def test_what_cannot_be_written(self):
        with self.assertRaisesRegex(DialectError, "'a,b' cannot be written") as caught:
            Dialect(quote=None).join(["a,b"])
        self.assertIsNone(caught.exception.column)
        self.assertEqual(Dialect(quote=None).join(['"a"']), '"a"')

    def test_there_and_back(self):
        values = ["a", "", None, ",", '"', '""', '","', "NA", "naïve", ' " ']
        for quote in ('"', "'", "“", "«", "„"):
            for delimiter in (",", ";", "\t"):
                dialect = Dialect(delimiter, quote, missing="NA")
                with self.subTest(quote=quote, delimiter=delimiter):
                    self.assertEqual(dialect.split(dialect.join(values)), values)


class DialectTest(unittest.TestCase):
    def test_closing_quotes(self):
        self.assertEqual(Dialect().closing, '"')
        self.assertEqual(Dialect(quote="„").closing, "“")
        self.assertEqual(Dialect(quote=None).closing, "")

    def test_what_is_no_dialect(self):
        for delimiter in ("", ",,"):
            with self.subTest(delimiter), self.assertRaisesRegex(DialectError, "one character"):
                Dialect(delimiter)
        with self.assertRaisesRegex(DialectError, "not a quote: '»'"):
            Dialect(quote="»")


class SniffTest(unittest.TestCase):
    def assert_sniffed(self, lines, delimiter):
        dialect = sniff(lines)
        self.assertIsNotNone(dialect)
        self.assertEqual(dialect.delimiter, delimiter)

    def test_the_most_regular(self):
        self.assert_sniffed(["a,b", "c,d"], ",")
        self.assert_sniffed(["a;b;c", "1,5;2,5;3"], ";")
        self.assert_sniffed(["a\tb", "", "c\td"], "\t")
        self.assert_sniffed(["a|b,c|d", "e|f,g|h"], "|")

    def test_the_first_of_equals(self):
        self.assert_sniffed(["a,b;c", "d,e;f"], ",")

    def test_quotes_hide_delimiters(self):
        self.assert_sniffed(['"a,b";c', "d;e"], ";")

    def test_nothing_regular(self):
        for lines in ([], [""], ["abc"], ["a,b", "c"], ["a", "b"]):
            with self.subTest(lines):
                self.assertIsNone(sniff(lines))

    def test_own_candidates(self):
        self.assertEqual(sniff(["a:b"], candidates=":").delimiter, ":")
        self.assertIsNone(sniff(["a,b"], candidates=()))


if __name__ == "__main__":
    unittest.main()
