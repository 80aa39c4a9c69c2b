"""Are our classes drop-ins? Run scikit-learn's own tests on them, and tell which pass.

    make drop-in                                        all tests concerned, then the table
    python tools/drop_in.py --only linear_model         the test files whose path matches; the others keep their results
    python tools/drop_in.py --table --failures          the stored results again, by the rules as they are now
    python tools/drop_in.py --table --words             messages whose words differ from scikit-learn's
    python tools/drop_in.py --table --left-out          tests that are left out, with the reason

scikit-learn installs its tests. Those files that mention a class of ours are run, a process for each folder, in which a plugin
(drop_in_plugin.py) puts our classes in the place of scikit-learn's. The tests that touched them are then run once more without
the plugin's work: those that fail on scikit-learn itself do not count. This baseline is kept for as long as the versions of
scikit-learn, NumPy and SciPy are the same. Which tests count is said in drop_in_rules.py, and in drop_in_rules.toml one by one.

Cost: about as long as the tests of scikit-learn concerned, twice at the first time; half an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

import sklearn
from drop_in_plugin import ALL, shared_names
from drop_in_rules import BadRuleError, Module, Record, Rule, Verdict, judge, listed, share, table

HERE = Path(__file__).resolve().parent
TESTED = Path(sklearn.__file__).parent
OPTIONS = [
    "-c",
    os.devnull,
    "--rootdir",
    str(TESTED),
    "-q",
    "--tb=short",
    "--no-header",
    "-W",
    "ignore",
    "--continue-on-collection-errors",
]
PLUGINS = ["-p", "drop_in_plugin", "-p", "no:cacheprovider", "-p", "no:xdist"]
VERSIONS = {name: version(name) for name in ("scikit-learn", "numpy", "scipy")}
COMMON = "tests/test_common.py"  # check_estimator for every class: many and easy, so the share is told without it too


# ---- runs --------------------------------------------------------------------------------------------------------------


def concerned(only: str) -> list[str]:
    """The test files that mention a class of ours, or go through all estimators."""
    names = re.compile(rf"\b({'|'.join([*shared_names(), *ALL])})\b")
    files = sorted(path for path in TESTED.rglob("tests/test_*.py") if names.search(path.read_text(encoding="utf-8")))
    return [name for name in (path.relative_to(TESTED).as_posix() for path in files) if re.search(only, name)]


def run(files: list[str], options: argparse.Namespace, only: list[str] | None = None) -> list[Record]:
    """The records of test files in one process: with our classes, or, for the tests named in `only`, with scikit-learn's."""
    with tempfile.TemporaryDirectory(prefix="drop-in-") as folder:
        records, wanted = Path(folder) / "records.jsonl", Path(folder) / "only"
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), str(HERE)]),
            "DROP_IN_RECORDS": str(records),
            "DROP_IN_SECONDS": str(options.seconds),
            "MPLBACKEND": "agg",
            **dict.fromkeys(("APRENDIZ_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
        }
        if only is not None:
            wanted.write_text("\n".join(only), encoding="utf-8")
            environment |= {"DROP_IN_PLAIN": "1", "DROP_IN_ONLY": str(wanted)}
        command = [sys.executable, "-m", "pytest", *OPTIONS, *PLUGINS, *(str(TESTED / file) for file in files)]
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=options.patience
            )
            trouble = "" if done.returncode in (0, 1, 2, 5) else f"pytest ended with {done.returncode}: {done.stdout[-1500:]}"
        except subprocess.TimeoutExpired:
            trouble = f"{', '.join(files)} took longer than {options.patience:.0f} s"
        lines = records.read_text(encoding="utf-8").splitlines() if records.exists() else []
    found = {one["test"]: Record(**one) for one in map(json.loads, lines)}
    if trouble:
        found[files[0]] = Record(files[0], "not collected", trouble)
    return list(found.values())


def measure(files: list[str], options: argparse.Namespace, known: dict[str, str]) -> dict[str, Any]:
    """Records and baseline of some files. `known` are outcomes with scikit-learn that need not be found again."""
    records = run(files, options)
    telling = [one.test for one in records if one.outcome == "failed" or (one.classes and not options.quick)]
    plain = {test: known[test] for test in telling if test in known}
    if missing := [test for test in telling if test not in known]:
        plain |= {one.test: one.outcome for one in run(files, options, missing)}
    found: dict[str, Any] = {file: {"records": [], "plain": {}} for file in files}
    for one in records:
        found[one.test.partition("::")[0]]["records"].append(asdict(one))
    for test, outcome in plain.items():
        found[test.partition("::")[0]]["plain"][test] = outcome
    return found


def measure_all(files: list[str], options: argparse.Namespace) -> dict[str, Any]:
    """Measure the files, folder by folder, and write the results after each: a run that is broken off loses little."""
    results = read(options.results)
    results = results if results.get("versions") == VERSIONS else {"versions": VERSIONS, "files": {}}
    groups = [list(group) for _, group in groupby(files, key=lambda file: file.rpartition("/")[0])]
    writing = threading.Lock()

    def one(group: list[str]) -> None:
        stored = [] if options.fresh else [results["files"].get(file, {}).get("plain", {}) for file in group]
        found = measure(group, options, {test: outcome for plain in stored for test, outcome in plain.items()})
        with writing:
            results["files"] |= found
            part = options.results.with_suffix(".part")
            part.write_text(json.dumps(results, indent=1, ensure_ascii=False), encoding="utf-8")
            part.replace(options.results)
        for file in group:
            counts = Counter(record["outcome"] for record in found[file]["records"] if record["classes"])
            print(f"{file:60} {', '.join(f'{number} {outcome}' for outcome, number in counts.items())}", flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        for future in [pool.submit(one, group) for group in groups]:
            future.result()
    return results


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


# ---- what they say -----------------------------------------------------------------------------------------------------


def judge_all(results: dict[str, Any], rules: list[Rule], only: str) -> tuple[dict[str, Record], dict[str, Verdict]]:
    """Every record that says something about us, and its verdict."""
    records, judged = {}, {}
    for file, found in sorted(results["files"].items()):
        if not re.search(only, file) or not (TESTED / file).exists():
            continue
        module = Module((TESTED / file).read_text(encoding="utf-8"))
        for record in (Record(**one) for one in found["records"]):
            function = record.test.partition("[")[0].split("::")[-1]
            verdict = judge(record, found["plain"].get(record.test), module.looks_inside(function), rules)
            if verdict.kind != "no matter":
                records[record.test], judged[record.test] = record, verdict
    return records, judged


def report(records: dict[str, Record], judged: dict[str, Verdict]) -> str:
    """The tables by module and by class, and the two percentages."""
    modules, classes = defaultdict(list), defaultdict(list)
    for test, record in records.items():
        modules[test.partition("::")[0]].append(test)
        for name in set(record.classes) & set(shared_names()) or {"(none made)"}:
            classes[name].append(test)
    without = Counter(one.kind for test, one in judged.items() if not test.startswith(COMMON))
    kinds = Counter(one.kind for one in judged.values())
    sentence = f"{kinds['passed']} of the {kinds['passed'] + kinds['failed']} tests that count pass: {share(kinds)}"
    ending = f" (without {COMMON}: {share(without)}). {kinds['left out']} are left out."
    return "\n\n".join([table(judged, modules, "module"), table(judged, classes, "class"), sentence + ending])


def failures(records: dict[str, Record], judged: dict[str, Verdict]) -> str:
    """Every failing test with the classes and the beginning of its message."""
    lines = []
    for test, verdict in judged.items():
        if verdict.kind == "failed":
            record = records[test]
            message = " ".join(record.message.split())[:400]
            lines.append(f"{test}\n    {', '.join(record.classes)} ({verdict.reason}, {record.where}): {message}")
    return "\n".join(lines)


def differing_words(records: dict[str, Record], judged: dict[str, Verdict]) -> str:
    return "\n".join(
        f"{test} ({judged[test].kind})\n    expected: {pair['expected']}\n    said:     {pair['said']}"
        for test, record in records.items()
        for pair in record.words
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="PATTERN", help="a regular expression on the path of the test file")
    parser.add_argument("--jobs", type=int, default=2, help="folders at a time")
    parser.add_argument("--seconds", type=int, default=60, help="processor seconds for a test")
    parser.add_argument("--patience", type=float, default=3600.0, help="seconds for a folder")
    parser.add_argument("--results", type=Path, default=Path("drop_in.json"), help="a file for the results")
    parser.add_argument("--quick", action="store_true", help="run the baseline only of tests that fail with our classes")
    parser.add_argument("--fresh", action="store_true", help="run the baseline anew")
    parser.add_argument("--table", action="store_true", help="run nothing: tell what is stored")
    parser.add_argument("--failures", action="store_true", help="print every failing test with its message")
    parser.add_argument("--words", action="store_true", help="print messages whose words differ")
    parser.add_argument("--left-out", action="store_true", help="print the tests that are left out, with the reason")
    options = parser.parse_args()
    try:
        rules = listed(HERE / "drop_in_rules.toml")
    except BadRuleError as trouble:
        print(f"A rule is wrong: {trouble}", file=sys.stderr)
        return 2
    results = read(options.results) if options.table else measure_all(concerned(options.only), options)
    if not results:
        print(f"There are no results in {options.results}.", file=sys.stderr)
        return 2
    records, judged = judge_all(results, rules, options.only)
    if options.failures:
        print(failures(records, judged), end="\n\n")
    if options.words:
        print(differing_words(records, judged), end="\n\n")
    if options.left_out:
        print("\n".join(f"{test}: {one.reason}" for test, one in judged.items() if one.kind == "left out"), end="\n\n")
    print(report(records, judged))
    tested = [record["test"] for found in results["files"].values() for record in found["records"]]
    for rule in rules if not options.only else []:
        if not any(map(rule.names, tested)):
            print(f"A rule names no test: {rule.tests}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
