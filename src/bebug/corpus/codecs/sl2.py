"""SL-2's format: a folder of pairs, `<id>.diff` and `<id>.json` with id, label, defect_class, description.

Its own six cases carry wrong hunk counts and lack `diff --git` lines: such diffs are taken, with a warning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from bebug import patches
from bebug.corpus import files, names, rows
from bebug.corpus.cases import wording
from bebug.corpus.codec import Codec
from bebug.corpus.manifest import SCHEMA_VERSION, revision
from bebug.errors import CorpusError
from bebug.records import Case, Corpus, Label

KEYS = ("id", "label", "defect_class", "description")
INDEX = "ids.jsonl"  # file name → id, where an id is no safe file name; SL-2 itself passes it over


def recognises(folder: Path) -> bool:
    return any(_stems(folder, ".diff"))


def read(folder: Path) -> Corpus:
    """The pairs in *folder*; what its diffs and classes have amiss becomes warnings, a bad pair an error."""
    stems = _stems(folder, ".diff") | _stems(folder, ".json")
    if files.is_ours(folder) and not (folder / "manifest.diff").exists():
        stems.discard("manifest")  # pairs may lie beside a corpus of our own format
    ids = _index(folder)
    cases, warnings = [], list[str]()
    for stem in sorted(stems):
        case, doubts = _pair(folder, stem, ids.get(stem, stem))
        cases.append(case)
        warnings += [f"{stem}: {doubt}" for doubt in doubts]
    files.no_duplicates([case.id for case in cases], str(folder))
    cases.sort(key=lambda case: case.id)
    manifest = {"schema_version": SCHEMA_VERSION, "name": folder.name, "corpus_rev": revision(cases)}
    return Corpus(manifest=manifest, cases=tuple(cases), warnings=tuple(warnings))


def write(corpus: Corpus, folder: Path) -> None:
    """Write *corpus* as pairs to the new or empty *folder*, classes under SL-2's names."""
    texts = pairs(corpus)
    files.empty_folder(folder)
    files.replace_all(folder, texts)


def pairs(corpus: Corpus) -> dict[str, bytes]:
    """File name → content of all pairs, and of the index where files are not called after their ids.

    A file has the name that the manifest knows its case by (`names`), else the id.
    """
    files.no_duplicates([case.id for case in corpus.cases], "these cases")
    stems = _chosen_stems(corpus)
    texts: dict[str, bytes] = {}
    for case in corpus.cases:
        stem = stems[case.id]
        head = dict(zip(KEYS, (stem, case.label.value, _snake(case), case.description), strict=True))
        texts[f"{stem}.json"] = json.dumps(head, indent=2).encode("ascii") + b"\n"
        texts[f"{stem}.diff"] = case.diff
    if renamed := {stem: name for name, stem in stems.items() if stem != name}:
        lines = (rows.line({"file": stem, "id": name}) for stem, name in sorted(renamed.items()))
        texts[INDEX] = b"".join(lines)
    return texts


def _chosen_stems(corpus: Corpus) -> dict[str, str]:
    """id → file name without extension; the manifest's names where they give each case one of its own."""
    ids = [case.id for case in corpus.cases]
    given = corpus.manifest.get("names")
    wanted = {name: str(given.get(name, name)) if isinstance(given, dict) else name for name in ids}
    if len({name.casefold() for name in wanted.values()}) < len(ids):
        wanted = {name: name for name in ids}
    stems = names.safe(wanted.values())
    return {name: stems[wanted[name]] for name in ids}


def _stems(folder: Path, suffix: str) -> set[str]:
    """The names of the visible files with *suffix*, without it."""
    return {path.name.removesuffix(suffix) for path in folder.glob(f"[!.]*{suffix}")}


def _pair(folder: Path, stem: str, name: str) -> tuple[Case, list[str]]:
    head = _head(folder, stem)
    diff = _bytes(folder, f"{stem}.diff", partner=f"{stem}.json")
    patch = patches.read(diff)
    label = Label(head["label"])
    case = _case(name, label, head, diff, patch)
    doubts = [f"the diff {fault}" for fault in patch.faults]
    if unknown := sorted(head.keys() - set(KEYS)):
        doubts.append(f"the key {unknown[0]!r} is not of the format")
    if (head["defect_class"] == "none") is not (label is Label.GOOD):
        doubts.append(f"a {label} case has the defect_class {head['defect_class']!r}")
    return case, doubts


def _head(folder: Path, stem: str) -> Mapping[str, str]:
    """The JSON of one pair, checked."""
    path = folder / f"{stem}.json"
    try:
        head = json.loads(_bytes(folder, path.name, partner=f"{stem}.diff").decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not JSON: {error}") from error
    if not isinstance(head, dict):
        raise CorpusError(f"{path} is no JSON object")
    for key in KEYS:
        if not isinstance(head.get(key), str):
            raise CorpusError(f"{path}: the key {key!r} is missing or no text")
    if head["id"] != stem:
        raise CorpusError(f"{path}: its id is {head['id']!r:.80}, and must be the file's name, {stem!r}")
    if head["label"] not in list(Label):
        raise CorpusError(f"{path}: its label is {head['label']!r:.80}, and must be 'bad' or 'good'")
    return head


def _case(name: str, label: Label, head: Mapping[str, str], diff: bytes, patch: patches.Patch) -> Case:
    path = patch.files[0].path if patch.files else ""
    title, body = wording(path, "")
    return Case(
        id=name,
        label=label,
        track="authored",
        defect_class=head["defect_class"].replace("_", "-"),
        operator="sl2",
        title=title,
        body=body,
        description=head["description"],
        seed={"name": "", "version": "", "source": "sl2", "sha256": ""},
        base_patch=b"",
        diff=diff,
        path=path,
        span=_span(patch),
        function="",
        twin=None,
        evidence={"proof": "asserted"},
    )


def _span(patch: patches.Patch) -> dict[str, int]:
    """From the first to the last changed line of the first file; 0 to 0 where nothing changes."""
    changed = [line.new for line in _changed(patch)]
    return {"start_line": min(changed, default=0), "end_line": max(changed, default=0)}


def _changed(patch: patches.Patch) -> Iterator[patches.Line]:
    for file in patch.files[:1]:
        yield from (line for line in file.lines if line.kind is not patches.Kind.CONTEXT)


def _snake(case: Case) -> str:
    return case.defect_class.replace("-", "_")


def _index(folder: Path) -> dict[str, str]:
    """File name → id, of the ids that are no file names."""
    path = folder / INDEX
    if not path.exists():
        return {}
    found = {}
    for place, row in rows.read_lines(path.read_bytes(), str(path)):
        if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("file", "id")):
            raise CorpusError(f"{place}: this line does not give the id of a file")
        found[row["file"]] = row["id"]
    return found


def _bytes(folder: Path, name: str, *, partner: str) -> bytes:
    path: Path = folder / name
    if not path.is_file():
        raise CorpusError(f"{folder / partner} has no {name} beside it: a case is a pair of both")
    return path.read_bytes()


codec = Codec(
    looks_for="pairs of .diff and .json",
    recognises=recognises,
    read=read,
    write=write,
    loses=tuple(name for name in rows.FIELDS if name not in {*KEYS, "diff"}),
)
