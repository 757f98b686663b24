"""Strategies of calls: each draws the text of an expression, from types, defaults, constants, or calls seen.

Runs in the seed's interpreter, with the Hypothesis that lies there or beside it.
"""

from __future__ import annotations

import collections

from bebug_likes import like
from bebug_names import Unspellable
from bebug_types import OMITTED, Types, Unbuildable, needed
from hypothesis import strategies as st


class Inputs:
    """Draws calls of *target*, given *recorded* ones and the *constants* in its code."""

    def __init__(self, target, recorded, constants):
        self.target, self.recorded = target, recorded
        self.types = Types(constants)

    def strategy(self):
        """A strategy of calls; raises `Unbuildable`."""
        whole = [self.drawn()] if self.buildable() else []
        if self.recorded:
            whole.append(self.varied())
        return st.one_of(whole)

    def buildable(self):
        try:
            self.drawn()
        except (Unbuildable, Unspellable):
            if not self.recorded:
                raise
            return False
        return True

    def varied(self):
        """Recorded calls, each value one like those that stood at its place."""
        shapes = collections.defaultdict(list)
        for call in self.recorded:
            shapes[len(call["args"]), tuple(call["kwargs"])].append(call)
        found = []
        for (count, names), calls in sorted(shapes.items()):
            first = like([call["first"] for call in calls]) if calls[0]["first"] is not None else st.none()
            args = [like([call["args"][number] for call in calls]) for number in range(count)]
            named = {name: like([call["kwargs"][name] for call in calls]) for name in names}
            found.append(made(first, st.tuples(*args), st.fixed_dictionaries(named)))
        return st.one_of(found)

    def drawn(self):
        first = self.instance() if self.target.kind in ("method", "property") else st.none()
        positional, named = [], {}
        for each in self.target.parameters:
            if each["kind"] == "VAR_POSITIONAL":
                continue
            if each["kind"] == "VAR_KEYWORD":
                continue
            if needed(each):
                found = self.value(each)
                if each["kind"] == "KEYWORD_ONLY":
                    named[each["name"]] = found
                else:
                    positional.append(found)
            elif each["kind"] in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY"):
                try:
                    named[each["name"]] = st.just(OMITTED) | self.value(each)
                except (Unbuildable, Unspellable):
                    continue
        more = st.just(())
        if any(each["kind"] == "VAR_POSITIONAL" for each in self.target.parameters):
            more = st.lists(self.rest(), max_size=3).map(tuple)
            optional_ones = [name for name in named if self.by_position(name)]
            for name in optional_ones:
                del named[name]
        args = st.tuples(st.tuples(*positional), more).map(lambda parts: parts[0] + parts[1])
        return made(first, args, st.fixed_dictionaries(named))

    def by_position(self, name):
        return next(each for each in self.target.parameters if each["name"] == name)["kind"] != "KEYWORD_ONLY"

    def rest(self):
        each = next(each for each in self.target.parameters if each["kind"] == "VAR_POSITIONAL")
        return self.value(each)

    def instance(self):
        return self.types.constructed(self.target.owner, 0)

    def value(self, parameter):
        """A strategy for one parameter."""
        return self.types.parameter(parameter)


def made(first, args, named):
    return st.builds(
        lambda first, args, named: {
            "first": first,
            "args": list(args),
            "kwargs": {name: text for name, text in named.items() if text != OMITTED},
        },
        first,
        args,
        named,
    )
