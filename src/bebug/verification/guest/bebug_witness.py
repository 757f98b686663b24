"""The search for a witness: the smallest call that was found on which a base and a change of it differ.

Started as a script with the path of a JSON plan, or with `look` and that of a job: one call to look at. Calls
that tests made are tried first, then what Hypothesis draws; a difference is made small, put into words that
anyone can run, and counts only once fresh processes have seen it too, each twice. Runs in the seed's
interpreter; Hypothesis is loaded where it is needed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from bebug_heirs import empty
from bebug_names import rendered, word
from bebug_sides import NoSide, Side, loaded, silence
from bebug_sight import DRAINED, looked_at
from bebug_smaller import smallest
from bebug_target import NoTarget, Target, constants, definition, first_line

QUICK, SLOW = 1.0, 2.0  # seconds of processor time: for a call of the base, and of a change that may hang
SLOWEST = 8.0  # seconds: for a call of the change in a new process
TROUBLES = 6  # calls that a side does not answer in time, before the search is given up
HANGS = 3  # such calls while one is made smaller
PATIENCE = 30.0  # seconds for a side to answer at all
TOGETHER = 20  # calls that one child is asked about
BASES, EDGES = 4, 80  # recorded calls that constants are put into, and calls made so
SHRINKS = 250  # trials to make a call smaller
DICE = (0, 1, 2)
SHOWN = 400  # letters of what a call gives


class Enough(Exception):
    """The search is over, and why."""


class Search:
    """Looks for a difference between the two sides of *plan*."""

    def __init__(self, plan):
        self.plan = plan
        self.base, self.changed = (self.side(name) for name in ("base", "changed"))
        self.tried, self.usable, self.troubles, self.most = set(), 0, 0, TROUBLES
        self.doubtful = False
        loaded(plan["base"], plan["module"])
        source = Path(plan["old"]).read_bytes()
        names, node = definition(source, *plan["lines"])
        self.target, self.node = Target(plan["module"], names), node

    def side(self, name):
        return Side(self.plan[name], self.plan["module"], self.plan["private"], self.plan["scratch"])

    # ---------------------------------------------------------------------------------------- one call

    def request(self, call, dice=0):
        values = self.target.values(call)
        shown = {name: f"_{name}" for name in values}
        imports, texts = rendered([self.target.call(call, shown), *values.values()])
        named = dict(zip(shown.values(), texts[1:]))  # noqa: B905 - it came with 3.10
        return {"imports": imports, "call": texts[0], "values": named, "dice": dice}

    def both(self, way, request, slow=SLOW):
        """What the two sides say."""
        self.base.send(way, request, QUICK)
        self.changed.send(way, request, slow)
        before, after = self.base.answer(PATIENCE), self.changed.answer(PATIENCE)
        if "gone" in before or "gone" in after:
            raise Enough("a process of the search was lost")
        return before, after

    def differs(self, call):
        """Whether the two sides differ on *call*, in all that it does."""
        before, after = self.both("seen", self.request(call))
        self.troubles += "late" in before or "late" in after
        if self.troubles > self.most:
            raise Enough("calls of it take too long")
        if "result" not in before or "unbuilt" in after or "died" in after:
            return False
        self.usable += 1
        return before != after

    def still(self, call):
        """Whether the two sides differ on a smaller *call*; no more is tried where that takes long."""
        return self.troubles < self.most and self.differs(call)

    def steady(self, call):
        """Whether each side says the same of *call* whatever the dice, and the two differ."""
        answers = [self.both("seen", self.request(call, dice)) for dice in DICE]
        return all(each == answers[0] for each in answers) and answers[0][0] != answers[0][1]

    # ------------------------------------------------------------------------------------- the search

    def run(self):
        """The witness, or why there is none."""
        recorded = [call for call in map(self.target.fitting, self.recorded()) if call is not None]
        recorded.sort(key=lambda call: len(json.dumps(call)))
        known = [call for call in (*recorded, *self.edges(recorded)) if self.fresh(call)]
        how, found = "recorded", self.first(known)
        if found is None and not self.doubtful:
            how, found = "search", self.searched(recorded)
        if found is None:
            raise Enough("what it does is not the same twice" if self.doubtful else "no difference")
        required = sum(
            not each["default"] and each["kind"].startswith("POSITIONAL") for each in self.target.parameters
        )
        self.most = self.troubles + HANGS
        small = smallest(found, required, self.still, SHRINKS)
        for call in (small, found):
            if self.steady(call) and (told := self.told(call)):
                return {**told, "found": how}
        raise Enough("what differs cannot be shown, or not by a process of its own")

    def recorded(self):
        return self.plan["calls"].get(str(first_line(self.node)), [])

    def first(self, calls):
        """The first of *calls* on which the two sides differ each time; None where there is none.

        Many are asked about in one child of each side. Those that seem to differ, and all of a child that did
        not answer, are asked about by themselves.
        """
        for at in range(0, len(calls), TOGETHER):
            for call in self.suspects(calls[at : at + TOGETHER]):
                if self.differs(call):
                    if self.steady(call):
                        return call
                    self.doubtful = True
        return None

    def suspects(self, calls):
        before, after = self.both("all_seen", [self.request(call) for call in calls])
        if not isinstance(before, list) or not isinstance(after, list):
            self.troubles += "late" in before
            return calls
        pairs = list(zip(before, after))  # noqa: B905 - it came with 3.10
        self.usable += sum("result" in one and one == other for one, other in pairs)
        return [calls[number] for number, (one, other) in enumerate(pairs) if one != other]

    def edges(self, recorded):
        """Recorded calls with a constant of the function's own in the place of one value."""
        texts = constants(self.node)
        found = [
            {**call, "args": [*call["args"][:number], text, *call["args"][number + 1 :]]}
            for call in recorded[:BASES]
            for number in range(len(call["args"]))
            for text in texts
        ]
        return found[:EDGES]

    def fresh(self, call):
        key = json.dumps(call, sort_keys=True)
        if key in self.tried:
            return False
        self.tried.add(key)
        return True

    def searched(self, recorded):
        """A call on which the sides differ, of those that Hypothesis draws; None where there is none."""
        sys.path.append(self.plan["hypothesis"])
        try:
            import bebug_inputs
            import hypothesis
        except ImportError:
            raise Enough("no Hypothesis in the seed's interpreter") from None
        try:
            strategy = bebug_inputs.Inputs(self.target, recorded, constants(self.node)).strategy()
        except (bebug_inputs.Unbuildable, bebug_inputs.Unspellable) as why:
            raise Enough(f"no inputs: {why}") from None
        pending, found = [], []

        def drawn(call):
            if not found and self.fresh(call):
                pending.append(call)
                if len(pending) == TOGETHER:
                    found.extend(each for each in [self.first(pending)] if each is not None)
                    pending.clear()
            return bool(found)

        settings = hypothesis.settings(
            max_examples=self.plan["examples"],
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        try:
            hypothesis.find(strategy, drawn, settings=settings, random=random.Random(self.plan["dice"]))
        except Enough:
            raise
        except hypothesis.errors.HypothesisException as error:
            if not isinstance(error, (hypothesis.errors.NoSuchExample, hypothesis.errors.Flaky)):
                raise Enough(f"no inputs: {type(error).__name__}: {error}"[:200]) from None
        return found[0] if found else self.first(pending)

    # ------------------------------------------------------------------------------------ its wording

    def told(self, call):
        """What to type to see the difference, and what one sees; None where there is nothing to be shown."""
        before = self.both("seen", self.request(call))[0]
        for setup, expression in self.views(call, before):
            imports, texts = rendered([*setup, expression], taken=("x", "drawn"))
            request = {"imports": imports, "setup": texts[:-1], "call": texts[-1], "dice": 0}
            old, new = (worded(each) for each in self.both("looked_at", request))
            if old is None or new is None or old in (new, LATE):
                continue
            if self.seen_again(request, old, new):
                return {
                    "imports": imports,
                    "setup": texts[:-1],
                    "call": texts[-1],
                    "before": old,
                    "after": new,
                }
        return None

    def views(self, call, seen):
        """(lines of set-up, expression) by which a difference might be seen, the plainest first."""
        plain = self.target.call(call)
        kind = seen["kind"]
        islice = f"list({word('itertools', 'islice')}({plain}, {DRAINED}))"
        if kind == "coroutine":
            plain = f"{word('asyncio', 'run')}({plain})"
        if kind == "iterator":
            yield [], islice
        elif kind == "async":
            yield (
                ["async def drawn(items): return [item async for item in items]"],
                f"{word('asyncio', 'run')}(drawn({plain}))",
            )
        elif kind == "manager":
            yield [], f"{plain}.__enter__()"
        else:
            yield [], plain
        for name, text in self.target.values(call).items():
            setup = [f"x = {text}", self.target.call(call, {name: "x"})]
            for view in ("x", "vars(x)"):
                yield setup, view
                yield [setup[0], f"try: {setup[1]}\nexcept Exception: pass"], view
        for shape in (
            "vars({})",
            "list({})",
            "[vars(x) for x in {}]",
            "dict({})",
            "str({})",
            "{}.args",
            "tuple(map(vars, {}))",
        ):
            yield [], shape.format(plain)
        printing = f"{word('contextlib', 'redirect_stdout')}(x)"
        yield [f"x = {word('io', 'StringIO')}()", f"with {printing}: {plain}"], "x.getvalue()"

    def seen_again(self, request, old, new):
        """Whether processes of their own see *old* and *new* too, each twice."""
        return all(
            self.cold(side, {**request, "dice": dice}, SLOWEST if wanted == LATE else PATIENCE) == wanted
            for dice in DICE[:2]
            for side, wanted in (("base", old), ("changed", new))
        )

    def cold(self, side, request, seconds):
        """What a new process sees."""
        folder = Path(self.plan["answer"]).parent
        job = {name: self.plan[name] for name in ("module", "private")}
        job.update(roots=self.plan[side], request=request, answer=str(folder / "seen.json"))
        (folder / "job.json").write_text(json.dumps(job), "ascii")
        command = [sys.executable, "-B", __file__, "look", str(folder / "job.json")]
        try:
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                cwd=self.plan["scratch"][0],
            )
            for place in self.plan["scratch"]:
                empty(place)
            answer = Path(job["answer"])
            said = json.loads(answer.read_text("ascii"))
            answer.unlink()
            return worded(said)
        except subprocess.TimeoutExpired:
            return LATE
        except (OSError, ValueError):
            return None


LATE = "does not return"


def worded(answer):
    """What one sees, as text; None where that is nothing to rely on."""
    if "late" in answer or answer.get("text") == "raises MemoryError":
        return LATE  # which of time and memory ends first is the machine's doing
    if "text" not in answer or not answer["exact"]:
        return None
    text = answer["text"]
    return text if len(text) <= SHOWN else None


def look(path):
    """Look once at what the job at *path* asks for."""
    job = json.loads(Path(path).read_text("ascii"))
    silence()
    loaded(job["roots"], job["module"])
    Path(job["answer"]).write_text(json.dumps(looked_at(job["request"], job["private"])), "ascii")
    os._exit(0)


def main(path):
    plan = json.loads(Path(path).read_text("ascii"))
    os.chdir(plan["scratch"][0])
    search = None
    try:
        search = Search(plan)
        found, why = search.run(), ""
    except (Enough, NoTarget, NoSide) as error:
        found, why = None, str(error)
    except Exception as error:
        found, why = None, f"the search broke: {type(error).__name__}: {error}"[:300]
    told = {"witness": found, "why": why, "examples": search.usable if search is not None else 0}
    Path(plan["answer"]).write_text(json.dumps(told), "ascii")


if __name__ == "__main__":
    if sys.argv[1] == "look":
        look(sys.argv[2])
    main(sys.argv[1])
    os._exit(0)
