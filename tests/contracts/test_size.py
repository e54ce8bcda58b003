"""A function fits on a screen, a module in 300 lines; nine functions in ten within 25."""

from __future__ import annotations

import ast
import io
import tokenize

from tests.contracts.source import Module, modules

MODULE_LINES = 300
FUNCTION_LINES = 40
USUAL_LINES = 25
PARAMETERS = 5

Function = ast.FunctionDef | ast.AsyncFunctionDef
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def span(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def code_lines(module: Module) -> set[int]:
    """The numbers of the lines that hold code: no blank line, no comment, no docstring."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type not in SILENT:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(module.tree):
        if isinstance(node, Function | ast.ClassDef) and ast.get_docstring(node) is not None:
            found -= span(node.body[0])
    return found


def parameters(node: Function) -> int:
    """How many arguments can be given by position, `self` not counted."""
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return len([name for name in names if name not in ("self", "cls")])


def functions(module: Module) -> dict[str, tuple[int, int]]:
    """For each function its number of code lines and of parameters."""
    code = code_lines(module)
    return {
        f"{module.name}:{node.lineno} {node.name}": (len(span(node) & code), parameters(node))
        for node in ast.walk(module.tree)
        if isinstance(node, Function)
    }


def too_big(module: Module) -> list[str]:
    """What of a module exceeds the house's measures, one sentence each."""
    found = []
    lines = module.text.count("\n")
    if lines > MODULE_LINES:
        found.append(f"{module.name} has {lines} lines, more than {MODULE_LINES}")
    for name, (length, given) in functions(module).items():
        if length > FUNCTION_LINES:
            found.append(f"{name} has {length} code lines, more than {FUNCTION_LINES}")
        if given > PARAMETERS:
            found.append(f"{name} has {given} parameters, more than {PARAMETERS}")
    return found


def share_of_long(lengths: list[int]) -> float:
    return sum(length > USUAL_LINES for length in lengths) / len(lengths)


def made(body: int, *, parameters: int = 0, filler: int = 0) -> Module:
    """Make a module with one function of `body` + 1 code lines and some blank lines."""
    names = ", ".join(f"a{number}" for number in range(parameters))
    head = [f"def f({names}):", '    """One.', "", '    Two."""', "", "    # three"]
    return Module("made.py", "\n".join([*head, *["    x = 1"] * body, *[""] * filler, ""]))


def test_nothing_is_too_big() -> None:
    assert [line for module in modules() for line in too_big(module)] == []


def test_nine_functions_in_ten_are_short() -> None:
    lengths = [length for module in modules() for length, _ in functions(module).values()]
    assert share_of_long(lengths) <= 0.1


def test_what_just_fits_passes() -> None:
    assert too_big(made(39, parameters=5, filler=255)) == []


def test_one_more_of_each_is_found() -> None:
    assert too_big(made(40, parameters=6, filler=255)) == [
        "made.py has 301 lines, more than 300",
        "made.py:1 f has 41 code lines, more than 40",
        "made.py:1 f has 6 parameters, more than 5",
    ]


def test_a_method_does_not_count_its_self() -> None:
    text = "class A:\n    def f(self, a, b, c, d, e):\n        return a\n"
    assert functions(Module("made.py", text)) == {"made.py:2 f": (2, 5)}


def test_one_long_function_in_nine_is_found() -> None:
    assert share_of_long([25] * 8 + [26]) > 0.1
