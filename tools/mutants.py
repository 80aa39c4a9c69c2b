"""How strong are the tests? Plant small faults in the source, one at a time, and see which tests notice.

    make mutants                                            all faults of tools/faults.toml, with the tests beside them
    python tools/mutants.py --only linear                   those whose name or family matches
    python tools/mutants.py --tests ../old/tests --results old.json       another suite against the same faults
    python tools/mutants.py --resume                        take up a run that was broken off
    python tools/mutants.py --wide                          try what has survived with all tests of its family
    python tools/mutants.py --table old.json new.json       two runs side by side

A fault is a piece of source text and what to put in its place (see the head of faults.toml). The text must stand exactly once
in src/aprendiz; the file is found by the text, so a fault stays in force when a function moves to another file.

Faults are planted in copies of the tree, one for each job, never in the tree itself. A copy keeps the kernels it has compiled;
those of the file with the fault are put back with it. The tests concerned are the mirror of the file (tests/<family>/test_…),
then those that the fault names or, where it names none, those of the family and its worked examples. The first failure ends the
run of a fault. At the end, the tests that failed are run once without any fault: all of them must pass.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
OPTIONS = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
COURSE = {  # the worked examples that concern a family
    "bayes": ["bayes", "centroid", "decision", "discriminant", "distribution", "gaussian_class", "rule", "space"],
    "cluster": ["cluster"],
    "ensemble": ["ensemble"],
    "evaluation": ["evaluation"],
    "linear": ["curve", "descent", "discriminant", "least_squares", "linear"],
    "neighbors": ["neighbour"],
    "tree": ["pruning", "tree"],
}
CAUGHT = ("caught", "crash", "timeout")


@dataclass(frozen=True)
class Fault:
    """A piece of text, what to put in its place, and the tests that should notice."""

    name: str
    family: str
    why: str
    find: str
    put: str
    tests: tuple[str, ...]

    @property
    def what(self) -> str:
        return f"{self.find}\0{self.put}"


@dataclass(frozen=True)
class Result:
    """What became of a fault: `caught` (by a failing test), `crash` (the process of the tests dies, as of a write outside of an
    array), `timeout` (tests that never end), `survived`, or `error` (tests that could not be run)."""

    name: str
    family: str
    why: str
    what: str
    file: str
    outcome: str
    test: str
    seconds: float
    wide: bool = False


class BadListError(Exception):
    """A fault that cannot be planted, or whose tests do not exist."""


# ---- the list ----------------------------------------------------------------------------------------------------------


def listed(path: Path, only: str) -> list[Fault]:
    """The faults of a file whose name or family matches a pattern."""
    tables = tomllib.loads(path.read_text())
    faults = [
        Fault(one["name"], family, one["why"], one["find"], one["put"], tuple(one.get("tests", ())))
        for family, entries in tables.items()
        for one in entries
    ]
    names = [fault.name for fault in faults]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise BadListError(f"names that stand twice: {', '.join(sorted(repeated))}")
    return [fault for fault in faults if re.search(only, f"{fault.family}/{fault.name}")]


def located(faults: list[Fault], package: Path) -> dict[str, Path]:
    """The file of each fault, relative to the package."""
    texts = {path.relative_to(package): path.read_text() for path in sorted(package.rglob("*.py"))}
    files, troubles = {}, []
    for fault in faults:
        places = [(path, text.count(fault.find)) for path, text in texts.items() if fault.find in text]
        if len(places) == 1 and places[0][1] == 1:
            files[fault.name] = places[0][0]
        else:
            where = ", ".join(f"{path} ({times}×)" for path, times in places) or "nowhere"
            troubles.append(f"{fault.name}: its text must stand once in the source, but stands {where}")
        if fault.find == fault.put:
            troubles.append(f"{fault.name}: find and put are the same")
    if troubles:
        raise BadListError("\n".join(troubles))
    return files


def concerned(fault: Fault, file: Path, tests: Path, wide: bool) -> list[list[str]]:
    """The tests to run, group by group: arguments of pytest."""
    mirror = [path for path in (tests / fault.family / f"test_{file.stem}.py",) if path.exists()]
    named = [arguments(text, tests, fault) for text in fault.tests]
    family = sorted((tests / fault.family).glob("test_*.py")) if (tests / fault.family).is_dir() else []
    for word in COURSE.get(fault.family, ()):
        family += sorted((tests / "course").glob(f"test_{word}_examples*.py"))
    rest = [str(path) for path in family if path not in mirror]
    groups = [[str(path) for path in mirror], *named]
    if wide or not fault.tests:
        groups.append(rest)
    return [group for group in groups if group]


def arguments(text: str, tests: Path, fault: Fault) -> list[str]:
    """`laws/test_sums -k Ridge`: a file below the tests, wherever it stands, and an expression for -k."""
    names, _, expression = text.partition(" -k ")
    found: list[str] = []
    for name in names.split():
        path, _, node = name.partition("::")
        wanted = Path(f"{path}.py")
        places = [tests / wanted] if (tests / wanted).exists() else sorted(tests.rglob(wanted.name))
        if not places:
            raise BadListError(f"{fault.name}: there is no {wanted} among the tests")
        found += [f"{places[0]}::{node}" if node else str(places[0])]
    return [*found, "-k", expression] if expression else found


# ---- one fault ---------------------------------------------------------------------------------------------------------


class Tree:
    """A copy of source and tests in which faults are planted."""

    def __init__(self, folder: Path, source: Path, tests: Path):
        self.folder, self.package, self.tests = folder, folder / "src" / "aprendiz", folder / "tests"
        kept = shutil.ignore_patterns("__pycache__") if folder.exists() else None  # a run may have been broken off in a fault
        for path in (folder / "src").rglob("*.py"):
            if not (source / path.relative_to(folder / "src")).exists():
                path.unlink()
        shutil.copytree(source, folder / "src", ignore=kept, dirs_exist_ok=True)  # at first with the compiled kernels
        shutil.rmtree(self.tests, ignore_errors=True)
        shutil.copytree(tests, self.tests)
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "Makefile"):
            if (path := tests.parent / name).exists():
                shutil.copy2(path, folder / name)
        for name in ("docs", "benchmarks"):
            if (path := tests.parent / name).is_dir():
                shutil.copytree(path, folder / name, dirs_exist_ok=True)
        beside = tests.parent.parent / "shared"  # tables that stand beside the repository
        link = folder.parent / "shared"
        if beside.is_dir() and not link.exists():
            link.symlink_to(beside.resolve())

    @contextmanager
    def with_fault(self, fault: Fault, file: Path) -> Iterator[None]:
        """The tree with the fault in it; afterwards as it was, compiled kernels too."""
        path, cache = self.package / file, (self.package / file).parent / "__pycache__"
        status, text = path.stat(), path.read_text()
        with tempfile.TemporaryDirectory() as aside:
            for kernel in cache.glob(f"{path.stem}.*"):
                shutil.copy2(kernel, aside)
            try:
                for stale in cache.glob(f"{path.stem}.*.pyc"):
                    stale.unlink()
                path.write_text(text.replace(fault.find, fault.put))
                yield
            finally:
                path.write_text(text)
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
                for stale in cache.glob(f"{path.stem}.*"):
                    stale.unlink()
                for kernel in Path(aside).iterdir():
                    shutil.copy2(kernel, cache)

    def pytest(self, wanted: list[str], timeout: float, options: list[str] = OPTIONS) -> tuple[int | None, str]:
        """The exit code of pytest (None if it took too long) and what it said."""
        shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)  # no examples remembered from another fault
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder / "src"),
            "XDG_CACHE_HOME": str(self.folder.parent / "cache"),
        }
        command = [sys.executable, "-m", "pytest", *options, *wanted]
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                code: int | None = process.wait(timeout)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            said.seek(0)
            return code, said.read()


def judged(tree: Tree, fault: Fault, file: Path, timeout: float, wide: bool) -> Result:
    """Plant a fault and run the tests concerned until one fails."""
    begin = time.monotonic()

    def result(outcome: str, test: str = "") -> Result:
        seconds = round(time.monotonic() - begin, 1)
        return Result(fault.name, fault.family, fault.why, fault.what, str(file), outcome, test, seconds, wide)

    with tree.with_fault(fault, file):
        for group in concerned(fault, file, tree.tests, wide):
            code, said = tree.pytest(group, timeout - (time.monotonic() - begin))
            if code is None:
                return result("timeout", Path(group[0]).name)
            if code in (1, 2):
                return result("caught", first_failure(said))
            if code < 0:
                return result("crash", f"signal {-code} in {Path(group[0]).name}")
            if code != 0:
                return result("error", f"pytest ended with {code}: {said.strip().splitlines()[-1]}")
    return result("survived")


def first_failure(said: str) -> str:
    """The test that failed, as pytest names it."""
    for line in said.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            return line.split(" ", 1)[1].split(" - ")[0].strip()
    return "?" + said[-300:]


# ---- all faults --------------------------------------------------------------------------------------------------------


class Notebook:
    """Results in a file that is written again after each of them: a run that is broken off can be taken up."""

    def __init__(self, path: Path):
        self.path, self.lock = path, threading.Lock()
        self.results = {one.name: one for one in read(path)} if path.exists() else {}

    def add(self, result: Result) -> None:
        with self.lock:
            self.results[result.name] = result
            part = self.path.with_suffix(".part")
            part.write_text(json.dumps([asdict(one) for one in self.results.values()], indent=1, ensure_ascii=False))
            part.replace(self.path)

    def knows(self, fault: Fault, wide: bool) -> bool:
        known = self.results.get(fault.name)
        return (
            known is not None
            and known.what == fault.what
            and (known.outcome in CAUGHT or (known.outcome == "survived" and (known.wide or not wide)))
        )


def read(path: Path) -> list[Result]:
    return [Result(**one) for one in json.loads(path.read_text())]


def run(faults: list[Fault], files: dict[str, Path], options: argparse.Namespace, work: Path) -> list[Result]:
    """Judge all faults, a few at a time."""
    notebook = Notebook(options.results)
    known = {fault.name for fault in faults if (options.resume or options.wide) and notebook.knows(fault, options.wide)}
    open_ones = [fault for fault in faults if fault.name not in known]
    trees: SimpleQueue[Tree] = SimpleQueue()
    for job in range(min(options.jobs, max(1, len(open_ones)))):
        trees.put(Tree(work / str(job), options.source, options.tests))
    done = len(faults) - len(open_ones)

    def judge(fault: Fault) -> None:
        nonlocal done
        tree = trees.get()
        try:
            result = judged(tree, fault, files[fault.name], options.timeout, options.wide)
        finally:
            trees.put(tree)
        notebook.add(result)
        done += 1
        print(f"{done:4}/{len(faults)}  {result.outcome:9} {result.seconds:6.1f} s  {fault.name:32} {result.test}", flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        for future in [pool.submit(judge, fault) for fault in open_ones]:
            future.result()
    results = [notebook.results[fault.name] for fault in faults]
    if options.confirm:
        confirm(trees.get(), results, options.timeout)
    return results


def confirm(tree: Tree, results: list[Result], timeout: float) -> None:
    """The tests that failed must pass where there is no fault: else they have caught nothing."""
    tests = sorted({result.test for result in results if result.outcome == "caught" and "::" in result.test})
    if not tests:
        return
    plain = [option for option in OPTIONS if option != "-x"]
    code, said = tree.pytest(tests, max(timeout, 60.0 * len(tests)), plain)
    if code != 0:
        print(f"Without any fault, some of these tests fail too (or are not found):\n{said[-3000:]}")


# ---- the table ---------------------------------------------------------------------------------------------------------


def table(runs: list[list[Result]], titles: list[str]) -> str:
    """Faults in lines, a column for each run; totals for each family."""
    by_name = [{result.name: result for result in results} for results in runs]
    names = list(dict.fromkeys(result.name for results in runs for result in results))
    lines = ["| fault | file | " + " | ".join(f"{title} | by | s" for title in titles) + " |"]
    lines.append("|---|---|" + "---|---|--:|" * len(runs))
    for name in names:
        first = next(results[name] for results in by_name if name in results)
        cells = [f"{name}: {first.why}", first.file]
        for results in by_name:
            one = results.get(name)
            cells += ["", "", ""] if one is None else [one.outcome, short(one.test), f"{one.seconds:.0f}"]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines += ["", "| family | faults | " + " | ".join(f"{title}: caught" for title in titles) + " |"]
    lines.append("|---|--:|" + "--:|" * len(runs))
    families = list(dict.fromkeys(results[name].family for results in by_name for name in results))
    for family in [*families, "all"]:
        counts = [[result for result in results.values() if family in (result.family, "all")] for results in by_name]
        caught = [sum(result.outcome in CAUGHT for result in some) for some in counts]
        shares = [f"{c} of {len(some)} ({c / max(1, len(some)):.0%})" for c, some in zip(caught, counts, strict=True)]
        lines.append(f"| {family} | {max(map(len, counts))} | " + " | ".join(shares) + " |")
    return "\n".join(lines)


def short(test: str) -> str:
    """`test_ridge.py::test_weights`, without folder and parameters."""
    return re.sub(r"\[.*", "", test.removeprefix("tests/"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=Path, default=HERE / "faults.toml", help="the list of faults")
    parser.add_argument("--source", type=Path, default=ROOT / "src", help="the folder that holds the package aprendiz")
    parser.add_argument("--tests", type=Path, default=ROOT / "tests", help="the folder of the tests")
    parser.add_argument("--only", default="", metavar="PATTERN", help="a regular expression on family/name")
    parser.add_argument("--jobs", type=int, default=2, help="faults at a time")
    parser.add_argument("--timeout", type=float, default=1800.0, help="seconds for a fault")
    parser.add_argument("--results", type=Path, default=Path("mutants.json"), help="a file for the results")
    parser.add_argument("--work", type=Path, help="a folder for the copies, kept for the next run of the same source")
    parser.add_argument("--resume", action="store_true", help="leave out what the file of results knows already")
    parser.add_argument("--wide", action="store_true", help="all tests of the family for what has survived so far")
    parser.add_argument("--check", action="store_true", help="only look whether every fault can be planted")
    parser.add_argument("--no-confirm", dest="confirm", action="store_false", help="leave out the run without faults")
    parser.add_argument("--table", type=Path, nargs="+", metavar="JSON", help="print the table of one run, or of two")
    options = parser.parse_args()
    if options.table:
        print(table([read(path) for path in options.table], [path.stem for path in options.table]))
        return 0
    options.source, options.tests = options.source.resolve(), options.tests.resolve()
    try:
        faults = listed(options.faults, options.only)
        files = located(faults, options.source / "aprendiz")
        for fault in faults:
            if not concerned(fault, files[fault.name], options.tests, options.wide):
                raise BadListError(f"{fault.name}: no tests concern it")
        if options.check:
            print(f"{len(faults)} faults can be planted.")
            return 0
        if options.work is not None:
            options.work.mkdir(parents=True, exist_ok=True)
            results = run(faults, files, options, options.work.resolve())
        else:
            with tempfile.TemporaryDirectory(prefix="mutants-") as work:
                results = run(faults, files, options, Path(work))
    except BadListError as trouble:
        print(f"The list of faults is wrong:\n{trouble}", file=sys.stderr)
        return 2
    print(table([results], ["tests"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
