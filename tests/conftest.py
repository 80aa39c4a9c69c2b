"""Where the acceptance tables are: in `shared/acceptance`, in the folder that holds the repository."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "acceptance"


@pytest.fixture(scope="session")
def acceptance():
    """The folder of the acceptance tables; tests that need it are skipped where it is not."""
    if not FOLDER.is_dir():
        pytest.skip("the acceptance tables are not beside the repository")
    return FOLDER


@pytest.fixture(scope="session")
def expected(acceptance):
    """The expected values of a check of answers.json, by its id."""
    answers = {answer["id"]: answer for answer in json.loads((acceptance / "answers.json").read_text())}
    return lambda name: answers[name]["expected"]
