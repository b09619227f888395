"""Runs the code of the notebook, cell by cell, as a notebook does: with await at the top level, and with the last expression shown."""

import ast
import asyncio
import inspect
import json
from pathlib import Path


def test_tour():
    cells = [c for c in json.loads((Path(__file__).parent.parent / "tour.ipynb").read_text())["cells"] if c["cell_type"] == "code"]
    names = {"__name__": "tour"}
    for c in cells:
        tree = ast.parse("".join(c["source"]))
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        for part, mode in ((tree, "exec"), (last, "eval")):
            if part is None:
                continue
            value = eval(compile(part, "tour.ipynb", mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
            if inspect.iscoroutine(value):
                value = asyncio.run(value)
            if mode == "eval" and hasattr(value, "_repr_html_"):
                assert "<" in value._repr_html_()
    assert len(cells) >= 6
