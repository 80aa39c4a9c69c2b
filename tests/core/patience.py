"""What should end at once, and is given up after a while."""

import threading

PATIENCE = 20.0  # seconds after which something that should end at once is taken to hang


def in_time(function):
    """The result of a function, computed in another thread; fails if it hangs."""
    answer = []

    def run():
        try:
            answer.append((True, function()))
        except BaseException as error:
            answer.append((False, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert answer, f"no answer after {PATIENCE} s"
    worked, result = answer[0]
    if not worked:
        raise result
    return result
