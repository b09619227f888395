"""The functions of incore as coroutines. A task that is cancelled cancels its request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from . import _requests, _worker
from ._errors import Error, WorkerError
from ._requests import Arch, Code, Prepared
from ._value import Table

if TYPE_CHECKING:
    from .types import Comparison, Deps, Document, Explanation, Loops, MachineInfo, Measurement, Record

__all__ = ["analyze", "predict", "compare", "deps", "explain", "measure", "machines", "loops"]


async def _request(method: str, params: dict[str, Any], options: tuple[str, ...]) -> Any:
    for last in (False, True):
        r = await asyncio.to_thread(lambda: _worker.worker(*options).submit(method, params))
        try:
            return await asyncio.wrap_future(r)
        except asyncio.CancelledError:
            await asyncio.to_thread(r.abandon)
            raise
        except WorkerError:
            if last or r.worker.alive:
                raise
    return None


async def _run(prepare: Callable[..., Prepared], *args: Any, **options: Any) -> Any:
    p = await asyncio.to_thread(prepare, *args, **options)  # which reads files
    try:
        return p.result(list(await asyncio.gather(*(_request(method, params, p.options) for method, params in p.parts))))
    except Error as e:
        raise _requests.placed(e, p.file) from None


async def analyze(code: Code, arch: Arch = None, *, syntax: Optional[str] = None, timeline: Optional[int] = None, sensitivity: Optional[bool] = None, what_if: Union[str, Sequence[str], None] = None,
                  iterations: Optional[int] = None, sources: Optional[Mapping[str, str]] = None, function: Optional[str] = None, loop: Optional[int] = None) -> Document:
    """As incore.analyze."""
    return await _run(_requests.analyze, code, arch, syntax=syntax, timeline=timeline, sensitivity=sensitivity, what_if=what_if, iterations=iterations, sources=sources, function=function, loop=loop)


async def predict(blocks: Iterable[str], arch: Arch = None, *, syntax: Optional[str] = None) -> Table[Record]:
    """As incore.predict."""
    return await _run(_requests.predict, blocks, arch, syntax=syntax)


async def compare(before: Code, after: Code, *more: Code, arch: Arch = None, syntax: Optional[str] = None) -> Comparison:
    """As incore.compare."""
    return await _run(_requests.compare, before, after, *more, arch=arch, syntax=syntax)


async def deps(code: Code, arch: Arch = None, *, syntax: Optional[str] = None, war: bool = False, waw: bool = False, may: bool = False) -> Deps:
    """As incore.deps."""
    return await _run(_requests.deps, code, arch, syntax=syntax, war=war, waw=waw, may=may)


async def explain(instruction: str, arch: Arch = None, *, syntax: Optional[str] = None) -> Explanation:
    """As incore.explain."""
    return await _run(_requests.explain, instruction, arch, syntax=syntax)


async def measure(code: Code, *, syntax: Optional[str] = None) -> Measurement:
    """As incore.measure."""
    return await _run(_requests.measure, code, syntax=syntax)


async def machines() -> Table[MachineInfo]:
    """As incore.machines."""
    return await _run(_requests.machines)


async def loops(path: Code, arch: Arch = None) -> Loops:
    """As incore.loops."""
    return await _run(_requests.loops, path, arch)
