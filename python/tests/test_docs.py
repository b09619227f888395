"""Holds the examples of docstrings and pages against the program: each is code that runs, or an argument that some function takes."""

import doctest
import inspect
import re
from pathlib import Path

import pytest

import incore
import incore.aio

LOOP = "1: mov (%rdi), %rax; imul %rax, %rbx; dec %rcx; jnz 1b"
FUNCTIONS = [f for m in (incore, incore.aio) for n in m.__all__ if inspect.isfunction(f := getattr(m, n))]
ROOT = Path(__file__).parent.parent.parent
PAGES = [p for p in (ROOT / "python/README.md", ROOT / "docs/callable.md", ROOT / "docs/kerncraft.md") if p.exists()]

# What takes an argument: machines, a question, an instruction or its form, a block of code.
TAKERS = (
    lambda text: incore.analyze(LOOP, text),
    lambda text: incore.analyze(LOOP, "zen4", what_if=[text]),
    lambda text: incore.explain(text, "zen4"),
    lambda text: incore.analyze(text, "zen4"),
)


def taken(text):
    for take in TAKERS:
        try:
            take(text)
            return True
        except incore.Error:
            pass
    return False


def quoted(text):
    return re.findall(r'"([^"\n]+)"', text or "")


def test_taken():
    assert taken("ports.load+1") and taken("zen4,skx") and taken("VFMADD213PDYr")
    assert not taken("ports:+1load") and not taken("zen99")


def test_module():
    assert doctest.testmod(incore).attempted >= 3
    assert not doctest.testmod(incore).failed


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_docstring(f):
    assert f.__doc__
    for text in quoted(f.__doc__):
        assert taken(text), text
    for name in re.findall(r"\bincore\.(\w+)", f.__doc__):
        assert hasattr(incore, name), name


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_page(page):
    """Blocks of Python that use the package alone run as they are; what a comment behind a line of figures says is what the line gives."""
    for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.S):
        if "import incore" not in code:
            continue
        names = {}
        for line in code.splitlines():
            expression, _, want = line.partition("#")
            if re.fullmatch(r"[\w.\[\], ]+", expression.strip()) and not expression.startswith("import") and re.match(r"\s*[\d']", want):
                assert str(eval(expression.strip(), names)) == f"({want.strip()})", line
            elif "to_pandas" not in line:
                exec(line, names)


def test_signatures():
    """Both modules take the same arguments, and the page lists those of each function."""
    for name in incore.aio.__all__:
        assert inspect.signature(getattr(incore, name)).parameters.keys() == inspect.signature(getattr(incore.aio, name)).parameters.keys(), name
    if PAGES[1:]:
        listed = dict(re.findall(r"\| `(\w+)\((.*?)\)` \|", PAGES[1].read_text()))
        for name in incore.aio.__all__:
            for p in inspect.signature(getattr(incore, name)).parameters.values():
                assert p.name in ("more", "syntax") or p.name in listed[name], (name, p.name)
