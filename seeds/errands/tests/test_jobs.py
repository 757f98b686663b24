import dataclasses
import unittest

from errands import Job, Outcome, State


class JobTest(unittest.TestCase):
    def test_defaults(self):
        job = Job("mail")
        self.assertEqual(job.payload, {})
        self.assertEqual(job.priority, 0)
        self.assertEqual(job.failures, 0)
        self.assertIsNone(job.timeout)
        self.assertIsNone(job.deadline)

    def test_payloads_are_not_shared(self):
        first, second = Job("mail"), Job("mail")
        first.payload["to"] = "a"
        self.assertEqual(second.payload, {})

    def test_an_id_is_made_of_the_name_and_a_number(self):
        first, second = Job("mail"), Job("mail")
        self.assertRegex(first.key, r"^mail-\d+$")
        self.assertEqual(int(second.key[5:]), int(first.key[5:]) + 1)

    def test_a_given_id_stays(self):
        self.assertEqual(Job("mail", id="x1").key, "x1")
        self.assertEqual(Job("mail", id="").key, "")

    def test_priorities(self):
        for priority in (0, 9):
            with self.subTest(priority):
                self.assertEqual(Job("mail", priority=priority).priority, priority)
        for priority in (-1, 10):
            with (
                self.subTest(priority),
                self.assertRaisesRegex(ValueError, f"a priority is 0 to 9: {priority}"),
            ):
                Job("mail", priority=priority)

    def test_timeouts_are_more_than_nothing(self):
        self.assertEqual(Job("mail", timeout=0.001).timeout, 0.001)
        with self.assertRaisesRegex(ValueError, "more than 0: 0"):
            Job("mail", timeout=0)
        with self.assertRaisesRegex(ValueError, "more than 0: -1"):
            Job("mail", timeout=-1)

    def test_a_name_is_needed(self):
        with self.assertRaisesRegex(ValueError, "has a name"):
            Job("")

    def test_the_deadline_itself_is_late(self):
        job = Job("mail", deadline=10.0)
        self.assertFalse(job.is_late(9.9))
        self.assertTrue(job.is_late(10.0))
        self.assertTrue(job.is_late(10.1))
        self.assertFalse(Job("mail").is_late(1e9))

    def test_failures_do_not_count_for_equality(self):
        self.assertEqual(Job("a", id="1"), Job("a", id="1", failures=3))
        self.assertNotEqual(Job("a", id="1"), Job("a", id="2"))

    def test_slots(self):
        with self.assertRaises(AttributeError):
            Job("a").colour = "red"

    def test_renamed(self):
        job = Job("a", {"n": 1}, id="7", priority=3, failures=2)
        other = job.renamed("b", timeout=4.0)
        self.assertEqual((other.name, other.priority, other.timeout), ("b", 3, 4.0))
        self.assertEqual((other.failures, other.payload), (0, {"n": 1}))
        self.assertTrue(other.key.startswith("b-"))
        self.assertEqual(job.key, "7")


class OutcomeTest(unittest.TestCase):
    def test_states(self):
        self.assertEqual([state for state in State if state.is_good], [State.DONE])

    def test_how_long_it_took(self):
        self.assertEqual(Outcome(job_id="a", state=State.DONE, started=2, finished=5).seconds, 3)
        self.assertEqual(Outcome(job_id="a", state=State.DONE, started=0, finished=4).seconds, 4)
        self.assertEqual(Outcome(job_id="a", state=State.EXPIRED, finished=5).seconds, 0)

    def test_lines(self):
        cases = {
            "a: done": Outcome(job_id="a", state=State.DONE),
            "a: done after 2 attempts": Outcome(job_id="a", state=State.DONE, attempts=2),
            "b: failed (no)": Outcome(job_id="b", state=State.FAILED, error="no"),
            "b: failed after 3 attempts ()": Outcome(
                job_id="b", state=State.FAILED, attempts=3, error=""
            ),
        }
        for line, outcome in cases.items():
            with self.subTest(line):
                self.assertEqual(outcome.line(), line)

    def test_lines_are_cut_to_a_width(self):
        outcome = Outcome(job_id="abc", state=State.DONE)
        self.assertEqual(outcome.line(9), "abc: done")
        self.assertEqual(outcome.line(10), "abc: done")
        self.assertEqual(outcome.line(8), "abc: do…")
        self.assertEqual(outcome.line(1), "…")

    def test_it_is_frozen_and_takes_names_only(self):
        outcome = Outcome(job_id="a", state=State.DONE)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            outcome.state = State.FAILED
        with self.assertRaises(TypeError):
            Outcome("a", State.DONE)


if __name__ == "__main__":
    unittest.main()
