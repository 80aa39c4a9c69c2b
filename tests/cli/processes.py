"""Commands in processes of their own, which can be sent signals.

Each is a fork of a process that has imported everything and done nothing else: a fork starts at once.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

PARENT = '''
import itertools, json, os, runpy, signal, sys, time, traceback

import matplotlib.pyplot
import aprendiz.cli.main, aprendiz.cli.predicting, aprendiz.cli.running, aprendiz.lab.outcome, aprendiz.lab.report.folder
from aprendiz.bayes import GaussianNB
from aprendiz.evaluation import evaluate


def prepare(order):
    """Its own folder, output to files, the usual answer to Ctrl-C; and what the order asks for."""
    os.chdir(order["folder"])
    for stream, name in ((1, "out.txt"), (2, "err.txt")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not order["pictures"]:
        aprendiz.lab.report.folder.maps_of_rows = lambda outcome: (None, None)
        aprendiz.lab.report.folder.pictures = lambda outcome, plane, of_rows: {}
        aprendiz.lab.outcome.LONGEST_CURVE = -1.0
    slow_down(order["slow"])
    die_at(order["dies_at"], order["folder"])


def slow_down(seconds):
    """Every fold takes some time."""
    run = aprendiz.lab.experiment.run
    aprendiz.lab.experiment.run = lambda *given, **more: (time.sleep(seconds), run(*given, **more))[1]


def die_at(number, folder):
    """At the n-th file that is to get its name: it stands beside, whole, and nothing can be put in order any more."""
    replace, calls = os.replace, itertools.count(1)

    def dying(source, target):
        if os.path.abspath(target).startswith(folder) and next(calls) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(source, target)

    os.replace = dying


def answer(order):
    if order["script"]:
        sys.argv = [order["script"]]
        runpy.run_path(order["script"], run_name="__main__")
    return aprendiz.cli.main.main(order["arguments"])


for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if child == 0:
        code = 70
        try:
            prepare(order)
            code = answer(order)
        except SystemExit as error:
            code = error.code
        except Exception:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
    print(child, flush=True)
    sys.stdin.readline()  # until its end is asked for, its number belongs to nobody else
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
'''


class Fork:
    """A command in a process of its own, to be left by `code`."""

    def __init__(self, parent, order):
        self.parent, self.folder, self.ended = parent, Path(order["folder"]), False
        self.pid = self.ask(json.dumps(order))

    def ask(self, line):
        """The number with which the parent answers."""
        self.parent.stdin.write(line + "\n")
        self.parent.stdin.flush()
        return int(self.parent.stdout.readline())

    def send(self, signal):
        os.kill(self.pid, signal)

    def code(self):
        """The exit code, once it has ended; −9 if it was killed."""
        self.ended = True
        return self.ask("")

    @property
    def out(self):
        file = self.folder / "out.txt"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def err(self):
        return (self.folder / "err.txt").read_text(encoding="utf-8")


def start_parent():
    return subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
