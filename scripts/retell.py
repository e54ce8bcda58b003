"""Write into the pages what their examples print now.

.venv/bin/python -m scripts.retell [PAGE ...] is for use after a change that is meant
to change numbers; the tests only compare. What stands as `...` stays so as long as it fits, and is
named when it does not. Read the difference before you keep it.
"""

from __future__ import annotations

import contextlib
import doctest
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.docs import console
from tests.docs.pages import FENCE, OPTIONS, ROOT, pages


def main() -> None:
    """Retell the pages that are named, or all."""
    named = [Path(name).resolve() for name in sys.argv[1:]]
    for page in named or pages():
        old = page.read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            new = retold(old, Path(folder), page)
        if new != old:
            page.write_text(new, "utf-8")
            print(f"changed: {page.relative_to(ROOT)}")


def retold(page: str, folder: Path, path: Path) -> str:
    """Return a page with what its blocks print now."""
    parts, at, names = [], 0, {"__name__": "__page__"}
    for match in FENCE.finditer(page):
        parts += [page[at : match.start(2)], block(match[1], match[2], names, folder)]
        at = match.end(2)
    if "..." in "".join(parts):
        print(f"has ...: {path.relative_to(ROOT)}")
    return "".join([*parts, page[at:]])


def block(language: str, text: str, names: dict[str, Any], folder: Path) -> str:
    """Run one block and return it as it is now."""
    if language == "console":
        return "".join(shell(text, folder))
    if text.lstrip().startswith(">>>"):
        return session(text, names)
    exec(compile(text, "page", "exec"), names)  # noqa: S102 - the pages are ours
    return text


def shell(text: str, folder: Path) -> list[str]:
    """Run the commands of a block in a folder."""
    found, code = [], 0
    for step in console.steps(text):
        if step.command == console.CODE:
            printed = f"{code}\n"
        else:
            printed, code = console.execute(step.command, folder)
        keep = step.expected.rstrip()
        if "..." in keep:
            try:
                console.compare(step, printed)
                printed = f"{keep}\n"
            except console.ConsoleError:
                print(f"does not fit any more: $ {step.command}\n{keep}\n")
        trimmed = console.trimmed(printed)
        found.append(f"$ {step.command}\n" + (f"{trimmed}\n" if trimmed else ""))
    return found


class Taker(doctest.DocTestRunner):
    """A runner that keeps what an example gave where it is not what the page says."""

    def __init__(self) -> None:
        super().__init__(optionflags=OPTIONS)
        self.given: list[tuple[str, str, str]] = []

    def report_failure(self, out: object, test: object, example: doctest.Example, got: str) -> None:
        """Keep it."""
        self.given.append((example.source, example.want, got))


def session(text: str, names: dict[str, Any]) -> str:
    """Run a Python session."""
    test = doctest.DocTestParser().get_doctest(text, {}, "page", "page", 0)
    test.globs = names
    taker = Taker()
    taker.run(test, out=lambda _: None, clear_globs=False)
    for source, want, got in taker.given:
        head = text.index(source.splitlines()[-1])
        at = text.index(want, head) if want else text.index("\n", head) + 1
        text = text[:at] + got + text[at + len(want) :]
    return text


if __name__ == "__main__":
    main()
