"""The pages on operators, made from their docstrings and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bebug.mutation.arid import ARID
from bebug.mutation.operator import Operator

HEAD = """# Operators and controls

This page is made from the operators' own files; their tables are also their tests.
An operator claims that its change breaks the code, a control that its change preserves it. Neither is
believed: each mutant is proved by running the seed's tests.
"""
FAULTS_HEAD = """## Faults that are never cases

Planted in the code under test for one purpose: a weakened test is proved by a fault that the whole test
notices and the weakened one does not. No corpus holds them as cases of their own, no `--class` names them.

| fault | what it does | for example |
| --- | --- | --- |
"""
ARID_HEAD = """## Places that are left out

Faults there prove nothing about a reviewer, for no test looks for them. `--keep-arid NAME` plants there too.
Annotations, `TYPE_CHECKING` blocks, type aliases, overloads and the stubs of protocols never run: nothing is
planted in them.
"""


def page(
    operators: Mapping[str, Operator], controls: Mapping[str, Operator], faults: Mapping[str, Operator]
) -> str:
    """The text of docs/operators.md."""
    parts = [HEAD]
    parts += [section(each) for each in operators.values()]
    parts += [section(each) for each in controls.values()]
    parts.append(FAULTS_HEAD + "".join(map(fault_row, faults.values())))
    parts.append(ARID_HEAD + "\n" + "".join(f"- `{each.name}`: {each.reason}\n" for each in ARID.values()))
    return "\n".join(parts)


def fault_row(fault: Operator) -> str:
    """One fault class on one line: what it does, and the first row of its table."""
    before, (after, *_) = next(iter(fault.examples.items()))
    does = sentence_case(fault.doc.sections["What it does"])
    return f"| `{fault.name}` | {does} | {code(before)} → {code(after)} |\n"


def section(operator: Operator) -> str:
    """What there is to know about one operator, in Markdown: what, why, rules, before and after."""
    doc = operator.doc
    lines = [f"## {operator.name}", "", f"*{operator.claim.capitalize()}.* {sentence_case(doc.sentence)}", ""]
    lines += [f"- **{name}**: {text}" for name, text in doc.sections.items()]
    lines += ["", "Rules:", "", *rules(operator), ""]
    lines += ["| before | after |", "| --- | --- |", *table(operator), ""]
    if operator.untouched:
        lines += ["Untouched: " + " · ".join(code(each) for each in operator.untouched), ""]
    lines += ["Left out where unproductive: " + ", ".join(f"`{name}`" for name in ARID), ""]
    return "\n".join(lines)


def rules(operator: Operator) -> Iterator[str]:
    seen: set[str] = set()
    for rule in operator.rules:
        if rule.name not in seen:
            seen.add(rule.name)
            yield f"- `{rule.name}`: {rule.sentence}" if rule.sentence else f"- `{rule.name}`"


def table(operator: Operator) -> Iterator[str]:
    for before, afters in operator.examples.items():
        yield f"| {code(before)} | {' <br> '.join(code(each) for each in afters) or 'nothing'} |"


def code(text: str) -> str:
    """*text* as inline code that a table can hold; line ends show as ⏎, and indents keep their width."""
    shown = text.rstrip("\n").replace("|", "\\|").replace("\n", " ⏎ ")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]
