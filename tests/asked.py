"""Questions that many tests ask of one thing: all of them are asked, whichever fails."""

from collections.abc import Callable


def ask(questions: tuple[Callable[..., None], ...], *about: object) -> None:
    """Ask questions, each a function that asserts; fail with the names of those that fail."""
    failed = {}
    for question in questions:
        try:
            question(*about)
        except AssertionError as error:
            failed[question.__name__] = error
    if failed:
        told = "\n\n".join(f"{name}: {error}" for name, error in failed.items())
        raise AssertionError(told) from next(iter(failed.values()))
