"""How many cycles a loop takes on a CPU core, why, and what would change it.

>>> import incore
>>> report = incore.analyze("1: imul %rax, %rbx; dec %rcx; jnz 1b", arch="zen4")
>>> report.cycles
3

The answers are dataclasses (incore.types) with .to_pandas(); notebooks show them as pages. incore.aio has the same functions as coroutines.
The first call starts a worker, 'incore serve --stdio', which is used until the program ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

from . import _requests, _worker
from ._errors import Error, InputError, TimeLimitError, WorkerError
from ._requests import Arch, Code, Prepared
from ._value import Table
from ._worker import close, program

if TYPE_CHECKING:
    from .types import Comparison, Deps, Document, Explanation, Loops, MachineInfo, Measurement, Record

__version__ = "0.2.0"
__all__ = ["analyze", "predict", "compare", "deps", "explain", "measure", "machines", "loops", "close", "program", "Error", "InputError", "TimeLimitError", "WorkerError", "Table"]


def _run(p: Prepared) -> Any:
    try:
        return p.result([_worker.request(method, params, *p.options) for method, params in p.parts])
    except Error as e:
        raise _requests.placed(e, p.file) from None


def analyze(code: Code, arch: Arch = None, *, syntax: Optional[str] = None, timeline: Optional[int] = None, sensitivity: Optional[bool] = None, what_if: Union[str, Sequence[str], None] = None,
            iterations: Optional[int] = None, sources: Optional[Mapping[str, str]] = None, function: Optional[str] = None, loop: Optional[int] = None) -> Document:
    """Predicts the cycles of a loop: of assembly text, of a file of assembly, or of a loop of an object file (function, loop).

    arch names one or more machines ("zen4", "zen4,skx", a list); default: this one. timeline is a number of iterations to follow, sensitivity asks what more
    of each resource would gain, what_if asks a question such as "ports.load+1", or several. iterations asks what the loop takes that is entered anew each time for so many.
    sources maps names in .file directives to the texts of source files.
    """
    return _run(_requests.analyze(code, arch, syntax=syntax, timeline=timeline, sensitivity=sensitivity, what_if=what_if, iterations=iterations, sources=sources, function=function, loop=loop))


def predict(blocks: Iterable[str], arch: Arch = None, *, syntax: Optional[str] = None) -> Table[Record]:
    """Predicts many blocks, of assembly text or of machine code in hexadecimal: a row for each block and machine, in order. A row without cycles has an error."""
    return _run(_requests.predict(blocks, arch, syntax=syntax))


def compare(before: Code, after: Code, *more: Code, arch: Arch = None, syntax: Optional[str] = None) -> Comparison:
    """Compares the loops of two to four versions of code."""
    return _run(_requests.compare(before, after, *more, arch=arch, syntax=syntax))


def deps(code: Code, arch: Arch = None, *, syntax: Optional[str] = None, war: bool = False, waw: bool = False, may: bool = False) -> Deps:
    """Lists the dependences of a loop, also those through memory."""
    return _run(_requests.deps(code, arch, syntax=syntax, war=war, waw=waw, may=may))


def explain(instruction: str, arch: Arch = None, *, syntax: Optional[str] = None) -> Explanation:
    """Returns what is known of an instruction, or of a form such as "VFMADD213PDYr", on machines."""
    return _run(_requests.explain(instruction, arch, syntax=syntax))


def measure(code: Code, *, syntax: Optional[str] = None) -> Measurement:
    """Runs a loop on this machine and returns its cycles. The code is executed, in a process of its own."""
    return _run(_requests.measure(code, syntax=syntax))


def machines() -> Table[MachineInfo]:
    """Lists the machines."""
    return _run(_requests.machines())


def loops(path: Code, arch: Arch = None) -> Loops:
    """Lists the loops of an object file, executable or library."""
    return _run(_requests.loops(path, arch))


def _page(raw: Mapping[str, Any]) -> str:
    """Returns a document as an inner frame."""
    import html

    page = _worker.request("page", {"document": raw, "title": raw.get("input", {}).get("file", "")})["html"]
    return f'<iframe sandbox="allow-scripts" style="width:100%;height:40em;border:0" srcdoc="{html.escape(page)}"></iframe>'
