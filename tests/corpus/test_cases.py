"""Cases give the critic nothing away, and their twins undo them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug.corpus import cases
from bebug.errors import CorpusError
from bebug.records import Case, Claim, Evidence, Label, Mutant, Seed, Status
from bebug.registry import load

Make = Callable[..., Any]
FAULT = b"""diff --git a/core.py b/core.py
--- a/core.py
+++ b/core.py
@@ -1,3 +1,3 @@
 def below(i, n):
-    return i < n
+    return i <= n
 # end
"""
REPAIR = FAULT.replace(b"-    return i < n\n+    return i <= n", b"-    return i <= n\n+    return i < n")
LOST = Evidence(
    status=Status.KILLED,
    proof={"proof": "detection-loss", "fault": {}, "killed_by": ["t.py::test_f"], "removed_tests": []},
)
HELD = Evidence(status=Status.SURVIVED, proof={"proof": "preserves", "tier": "G1", "examples": 0})


def seen(case: Case) -> tuple[str, str]:
    return case.title, case.body


def test_an_id_is_the_seed_and_twelve_hex_digits_and_names_neither_label_nor_class(bad: Make) -> None:
    case = bad()
    assert re.fullmatch(r"ledger-[0-9a-f]{12}", case.id)
    assert re.fullmatch(r"[0-9a-f]{12}", case.change.id)


def test_a_bad_case_and_its_twin_read_the_same_and_name_each_other(bad: Make) -> None:
    case = bad()
    twin = cases.repaired(case, base_patch=b"there", diff=b"back", span=(3, 3))
    case = cases.paired(case, twin)
    assert seen(case) == seen(twin)
    assert (case.twin, twin.twin) == (twin.id, case.id)
    assert (case.label, twin.label) == (Label.BAD, Label.GOOD)
    assert (twin.track, twin.defect_class, twin.operator) == (
        "control",
        "none",
        "good-bugfix/step-the-boundary",
    )
    assert case.id != twin.id
    assert twin.id.startswith("ledger-")


def test_a_twin_proves_itself_by_the_tests_that_its_bad_case_fails(bad: Make, killed: Evidence) -> None:
    twin = cases.repaired(bad(), base_patch=b"there", diff=b"back", span=(3, 3))
    assert killed.proof is not None
    assert twin.evidence["proof"] == "fixes"
    assert twin.evidence["tier"] == "G1"
    assert twin.evidence["fail_to_pass"] == killed.proof["fail_to_pass"]
    assert twin.evidence["pass_to_pass"] == killed.proof["pass_to_pass"]


def test_git_applies_a_twin_on_its_base_and_gives_the_pristine_file_back(bad: Make, tmp_path: Path) -> None:
    pristine = b"def below(i, n):\n    return i < n\n# end\n"
    file = tmp_path / "core.py"
    file.write_bytes(pristine)
    twin = cases.repaired(bad(diff=FAULT), base_patch=FAULT, diff=REPAIR, span=(2, 2))
    for patch in (twin.base_patch, twin.diff):
        subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, check=True)
        assert (file.read_bytes() == pristine) is (patch == twin.diff)


def test_a_good_case_has_no_repaired_twin(bad: Make) -> None:
    twin = cases.repaired(bad(), base_patch=b"there", diff=b"back", span=(3, 3))
    with pytest.raises(ValueError, match="no bad case"):
        cases.repaired(twin, base_patch=b"there", diff=b"", span=(1, 1))


def test_a_control_is_good_and_reads_like_a_bad_case_of_the_same_place(
    seed: Seed, mutant: Make, bad: Make
) -> None:
    made = mutant(operator="flip-comparison", rule="mirror", claim=Claim.PRESERVES)
    control = cases.preserved(seed, made, HELD, diff=b"d", span=(3, 4))
    assert (control.label, control.track, control.defect_class) == (Label.GOOD, "control", "none")
    assert control.operator == "flip-comparison/mirror"
    assert control.span == {"start_line": 3, "end_line": 4}
    assert seen(control) == seen(bad())


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(place=st.text(min_size=1), function=st.text())
def test_wording_depends_on_the_place_alone_and_is_one_printable_line(place: str, function: str) -> None:
    title, body = cases.wording(place, function)
    assert (title, body) == cases.wording(place, function)
    assert title.isprintable()
    assert body.isprintable()


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    operator=st.sampled_from(sorted(load("operators"))),
    place=st.text("ab/.é", min_size=1),
    function=st.text("fg._", min_size=0),
    base=st.sampled_from([b"", b"without the test"]),
)
def test_a_bad_case_and_its_twin_read_the_same_whatever_the_class(
    operator: str, place: str, function: str, base: bytes, seed: Seed, mutant: Make, killed: Evidence
) -> None:
    weakens = load("operators")[operator].claim is Claim.WEAKENS
    made = mutant(operator=operator, path=place, function=function)
    make, mend, proof = cases.planted, cases.repaired, killed
    if weakens:
        make, mend, proof = cases.weakened, cases.strengthened, LOST
    case = make(seed, made, proof, diff=b"d", span=(3, 3), base_patch=base)
    twin = mend(case, base_patch=base, diff=b"e", span=(3, 3))
    assert seen(case) == seen(twin) == cases.wording(place, function)
    words = {word for name in load("operators") for word in name.split("-") if word != "by"}
    assert not words & set(re.findall(r"[a-z]+", " ".join(seen(case)).lower()))


def test_what_a_critic_reads_fits_an_edit_an_addition_and_a_removal() -> None:
    texts = {cases.wording("tests/t.py", f"test_{n}") for n in range(100)}
    for title, body in texts:
        assert re.fullmatch(r"\w+ tests/t\.py: test_\d+", title), "what is changed is the file"
        assert not re.search(r"\b(edit|add|remove|delete|to|in)\b", body)


def test_wordings_vary_and_hold_no_word_that_takes_sides() -> None:
    texts = {cases.wording("a.py", f"f{n}") for n in range(500)}
    shapes = {re.sub(r"f\d+", "", " / ".join(text)) for text in texts}
    assert len(shapes) == 12
    loaded = (
        "mutant|mutat|label|bad|good|bug|fix|fault|defect|repair|correct|off.by.one|null|control|twin|safe"
        "|assert|add|remov|delet|restor|strength|weak|cover|check"
    )
    assert not [shape for shape in shapes if re.search(loaded, shape, re.IGNORECASE)]


def test_code_outside_of_functions_is_named_by_its_file() -> None:
    title, body = cases.wording("pkg/core.py", "")
    assert title.split(" ", 1)[1] == "pkg/core.py"
    assert "`pkg/core.py`" in body


def test_ids_differ_where_any_part_of_the_mutant_or_the_seed_differs(seed: Seed, mutant: Make) -> None:
    other = Seed(name="ledger", version="1.3", source="builtin", sha256="", licence="MIT")
    made = [mutant(), mutant(at=11), mutant(text=b"<"), mutant(path="b.py"), mutant(operator="x")]
    ids = [cases.case_id(seed, one) for one in made] + [cases.case_id(other, made[0])]
    assert len(set(ids)) == 6


def test_an_id_does_not_depend_on_rule_function_or_lines(seed: Seed, mutant: Make) -> None:
    assert cases.case_id(seed, mutant()) == cases.case_id(seed, mutant(rule="other", function="g"))


@pytest.mark.parametrize("name", ["../up", "a b/c", "", "x" * 300, "é"])
def test_a_seed_of_any_name_gives_ids_that_are_file_names(name: str, mutant: Make) -> None:
    odd = Seed(name=name, version="0", source="path", sha256="", licence="")
    made = cases.case_id(odd, mutant())
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,60}-[0-9a-f]{12}", made)


def test_a_case_without_the_proof_of_its_kind_is_refused(seed: Seed, mutant: Make, killed: Evidence) -> None:
    survived = Evidence(status=Status.SURVIVED, detail="no test failed")
    with pytest.raises(CorpusError, match="proof of the kind 'tests', not None"):
        cases.planted(seed, mutant(), survived, diff=b"d", span=(1, 1))
    with pytest.raises(CorpusError, match="kind 'preserves', not 'tests'"):
        cases.preserved(seed, mutant(), killed, diff=b"d", span=(1, 1))


def test_the_description_tells_the_truth_and_the_place(bad: Make) -> None:
    case = bad()
    assert case.description == "Off by one in parse (ledger/money.py:3): `i < n` became `i <= n`."
    assert cases.repaired(case, base_patch=b"there", diff=b"", span=(3, 3)).description == (
        f"Good twin of a bad case: undoes what the bad change does. The bad change: {case.description}"
    )


@pytest.mark.parametrize(
    ("base", "does"),
    [
        (b"", "puts back what the bad change takes away"),
        (b"without the test", "adds the same test with its assertions"),
    ],
)
def test_the_twin_of_a_weakened_test_says_what_it_does_itself(
    base: bytes, does: str, seed: Seed, mutant: Make
) -> None:
    case = cases.weakened(seed, mutant(), LOST, diff=b"d", span=(3, 3), base_patch=base)
    twin = cases.strengthened(case, base_patch=base or b"weakened", diff=b"e", span=(3, 3))
    assert twin.description == f"Good twin of a bad case: {does}. The bad change: {case.description}"


def test_a_rejected_candidate_keeps_its_reason_and_its_diff(seed: Seed, mutant: Make) -> None:
    one: Mutant = mutant()
    row = cases.rejected(seed, one, Evidence(status=Status.SURVIVED, detail="no test failed"), diff=b"\xff")
    assert row["id"] == cases.case_id(seed, one)
    assert (row["reason"], row["detail"]) == ("survived", "no test failed")
    assert row["diff"] == {"encoding": "base64", "data": "/w=="}
