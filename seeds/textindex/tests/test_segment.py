import io
import json
import unittest

from textindex.segment import Document, Segment, SegmentError, load_segment, merge
from textindex.tokens import Analyzer


def make_segment(*texts, first=1):
    segment = Segment()
    for doc_id, text in enumerate(texts, start=first):
        segment.add(Document(doc_id, text))
    return segment


class DocumentTest(unittest.TestCase):
    def test_the_heading_is_the_title(self):
        self.assertEqual(Document(1, "text", "Title").heading(), "Title")

    def test_or_the_first_line(self):
        self.assertEqual(Document(1, "\n one\ntwo").heading(), "one")
        self.assertEqual(Document(1, "").heading(), "")

    def test_a_long_heading_is_cut(self):
        document = Document(1, "a heading of words")
        self.assertEqual(document.heading(18), "a heading of words")
        self.assertEqual(document.heading(17), "a heading of w...")
        self.assertEqual(document.heading(13), "a heading...")

    def test_the_length_may_be_known(self):
        self.assertEqual(Document(1, "x").length, 0)
        self.assertEqual(Document(1, "x", length=7).length, 7)


class SegmentTest(unittest.TestCase):
    def setUp(self):
        self.segment = make_segment("the cat sat", "a dog and a cat", "cats catch dogs")

    def test_postings(self):
        self.assertEqual(self.segment.postings("cat").ids(), [1, 2, 3])
        self.assertEqual(self.segment.postings("dog").ids(), [2, 3])

    def test_an_unknown_term_has_no_postings(self):
        self.assertEqual(len(self.segment.postings("cow")), 0)

    def test_positions(self):
        self.assertEqual(self.segment.positions("cat", 2), (4,))
        self.assertEqual(self.segment.positions("dog", 1), ())
        self.assertEqual(self.segment.positions("cow", 1), ())

    def test_a_term_that_occurs_twice(self):
        segment = make_segment("dog eats dog")
        self.assertEqual(segment.positions("dog", 1), (0, 2))

    def test_document(self):
        self.assertEqual(self.segment.document(3).text, "cats catch dogs")
        self.assertIsNone(self.segment.document(4))

    def test_lengths_do_not_count_stop_words(self):
        self.assertEqual([document.length for document in self.segment], [2, 2, 3])
        self.assertEqual(self.segment.total_length, 7)

    def test_last_id(self):
        self.assertEqual(self.segment.last_id, 3)
        self.assertIsNone(Segment().last_id)

    def test_ids_must_ascend(self):
        for doc_id in (2, 3):
            with self.subTest(doc_id), self.assertRaises(SegmentError):
                self.segment.add(Document(doc_id, "late"))

    def test_terms_are_sorted(self):
        self.assertEqual(self.segment.terms(), ["cat", "catch", "dog", "sat"])

    def test_terms_with_a_prefix(self):
        self.assertEqual(self.segment.terms("cat"), ["cat", "catch"])
        self.assertEqual(self.segment.terms("s"), ["sat"])
        self.assertEqual(self.segment.terms("z"), [])

    def test_a_number_of_terms(self):
        self.assertEqual(self.segment.terms(limit=0), [])
        self.assertEqual(self.segment.terms("cat", 1), ["cat"])
        self.assertEqual(self.segment.terms("cat", 2), ["cat", "catch"])

    def test_terms_that_came_later_are_found(self):
        self.segment.terms()
        self.segment.add(Document(4, "aardvark"))
        self.assertEqual(self.segment.terms()[0], "aardvark")

    def test_the_title_is_indexed_in_front(self):
        segment = Segment()
        segment.add(Document(1, "purrs", "My cat"))
        self.assertEqual(segment.positions("cat", 1), (1,))
        self.assertEqual(segment.positions("purr", 1), (2,))

    def test_another_analyzer(self):
        segment = Segment()
        segment.add(Document(1, "the cats"), Analyzer([], stemming=False))
        self.assertEqual(segment.terms(), ["cats", "the"])


class PersistenceTest(unittest.TestCase):
    def dumped(self, segment):
        stream = io.StringIO()
        segment.dump(stream)
        return stream.getvalue()

    def test_what_is_dumped_can_be_loaded(self):
        segment = make_segment("the cat sat", "dogs")
        segment.add(Document(9, "text", "Title"))
        loaded = load_segment(self.dumped(segment).splitlines())
        self.assertEqual(self.dumped(loaded), self.dumped(segment))
        self.assertEqual(loaded.positions("cat", 1), (1,))
        self.assertEqual(loaded.document(9).title, "Title")
        self.assertIsNone(loaded.document(1).title)

    def test_one_line_per_document_and_a_header(self):
        lines = self.dumped(make_segment("a cat", "dogs")).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual(json.loads(lines[0]), {"format": 1, "documents": 2})
        self.assertNotIn("title", json.loads(lines[1]))

    def test_a_length_may_be_missing(self):
        lines = ['{"format": 1, "documents": 1}', '{"id": 1, "text": "x", "terms": {}}']
        self.assertEqual(load_segment(lines).document(1).length, 0)

    def test_a_header_without_a_number_of_documents(self):
        self.assertEqual(len(load_segment(['{"format": 1}'])), 0)

    def test_blank_lines_and_nulls_are_skipped(self):
        lines = ["", "null", '{"format": 1, "documents": 1}', " ", "null"]
        lines.append('{"id": 1, "text": "x", "terms": {"x": [0]}}')
        self.assertEqual(len(load_segment(lines)), 1)

    def test_more_documents_than_promised_are_fine(self):
        lines = ['{"format": 1, "documents": 0}', '{"id": 1, "text": "x", "terms": {}}']
        self.assertEqual(len(load_segment(lines)), 1)

    def check_error(self, message, *lines):
        with self.assertRaisesRegex(SegmentError, message):
            load_segment(lines)

    def test_an_empty_file(self):
        self.check_error("the file is empty")
        self.check_error("the file is empty", "", "null")

    def test_no_header(self):
        self.check_error("the header is missing", '{"id": 1}')
        self.check_error("the header is missing", "[1]")

    def test_a_newer_format(self):
        self.check_error("format 2 is newer than 1", '{"format": 2, "documents": 0}')

    def test_documents_are_missing(self):
        self.check_error("2 of 2 documents are missing", '{"format": 1, "documents": 2}')

    def test_not_json(self):
        self.check_error("line 3: not JSON", '{"format": 1}', "", "{")

    def test_not_a_document(self):
        self.check_error("line 2: not a document", '{"format": 1}', '{"id": 1}')
        self.check_error("line 2: not a document", '{"format": 1}', "7")


class MergeTest(unittest.TestCase):
    def test_documents_come_in_order_of_id(self):
        merged = merge([make_segment("cat", first=5), make_segment("cat", "dog")])
        self.assertEqual([document.doc_id for document in merged], [1, 2, 5])
        self.assertEqual(merged.postings("cat").ids(), [1, 5])

    def test_deleted_documents_are_left_out(self):
        merged = merge([make_segment("cat", "dog")], deleted={2})
        self.assertEqual(len(merged), 1)
        self.assertEqual(merged.terms(), ["cat"])

    def test_merging_nothing(self):
        self.assertEqual(len(merge([])), 0)


if __name__ == "__main__":
    unittest.main()
