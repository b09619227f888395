"""The requests, without the sending: what to send for the arguments of a call, and what to make of the answer."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence, Union

from . import types
from ._errors import Error, InputError
from ._value import Table

Code = Union[str, "os.PathLike[str]"]
Arch = Union[str, Iterable[str], None]

CHUNK_BLOCKS, CHUNK_BYTES = 4000, 600_000  # of a request of predict
MAX_FILE = 64 << 20  # bytes of a file that is read, far above what the program takes
ENDINGS = (".s", ".S", ".asm", ".o", ".obj", ".a", ".lib", ".so", ".dll", ".dylib", ".exe", ".elf")


class Prepared(NamedTuple):
    """A request: parts that are sent, and the function that makes the result of their answers."""

    parts: list[tuple[str, dict[str, Any]]]
    result: Callable[[list[Any]], Any]
    options: tuple[str, ...] = ()
    file: Optional[str] = None


def archs(arch: Arch) -> list[str]:
    if arch is None:
        return []
    if not isinstance(arch, (str, Iterable)):
        raise TypeError(f"arch must be a name or a list of names, not {type(arch).__name__}")
    if isinstance(arch, str):
        return [a for a in arch.replace(",", " ").split() if a]
    return [str(a) for a in arch]


def is_path(code: str) -> bool:
    """Reports whether a string names a file: there is such a file, or it looks like a name and like no instruction."""
    if "\n" in code or ";" in code or len(code) > 1000 or "\0" in code:
        return False
    named = code.startswith(("/", "./", "../", "~/")) or code.endswith(ENDINGS) and not any(c.isspace() for c in code)
    return named or os.path.isfile(code)


def read(code: Code) -> tuple[Union[str, bytes], Optional[str]]:
    """Returns text or the bytes of an object file, and the file's name."""
    if isinstance(code, str):
        if not is_path(code):
            return code, None
    elif not isinstance(code, os.PathLike):
        raise TypeError(f"code must be a string or a path, not {type(code).__name__}")
    with Path(code).open("rb") as f:
        data = f.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise InputError(f"{os.fspath(code)} has more than {MAX_FILE} bytes", "the command incore takes larger files")
    if data[:4] in (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"!<ar") or data[:2] in (b"MZ", b"\x64\x86", b"\x64\xaa"):
        return data, os.fspath(code)
    return data.decode("utf-8", "replace"), os.fspath(code)


def object_file(data: bytes, name: Optional[str], arch: Arch) -> dict[str, Any]:
    return {"object": base64.b64encode(data).decode(), "name": name or "", "arch": archs(arch)}


def only(**options: Any) -> dict[str, Any]:
    return {k: v for k, v in options.items() if v is not None}


def analyze(code: Code, arch: Arch = None, *, syntax: Optional[str] = None, timeline: Optional[int] = None, sensitivity: Optional[bool] = None, what_if: Union[str, Sequence[str], None] = None,
            iterations: Optional[int] = None, sources: Optional[Mapping[str, str]] = None, function: Optional[str] = None, loop: Optional[int] = None) -> Prepared:
    data, file = read(code)
    questions = [what_if] if isinstance(what_if, str) else what_if and list(what_if)
    options = only(syntax=syntax, timeline=timeline, sensitivity=sensitivity, what_if=questions, iterations=iterations)
    if isinstance(data, bytes):
        if not function:
            raise InputError(f"{file} is an object file: which function? incore.loops(path) lists its loops", 'analyze(path, function="…", loop=1)')
        if sources is not None:
            raise InputError(f"sources is about assembly text, and {file} is an object file")
        return Prepared([("loops", {**object_file(data, file, arch), **options, **only(function=function, loop=loop)})], lambda a: types.Document.from_json(a[0]), file=file)
    if function is not None or loop is not None:
        raise InputError("function and loop choose a loop of an object file, and this is assembly text", "give the text of the loop alone")
    return Prepared([("analyze", {"text": data, "arch": archs(arch), **options, **only(sources=sources and dict(sources))})], lambda a: types.Document.from_json(a[0]), file=file)


def predict(blocks: Iterable[str], arch: Arch = None, *, syntax: Optional[str] = None) -> Prepared:
    if isinstance(blocks, str):
        raise TypeError("blocks must be a list of strings, not a string")
    common = {"arch": archs(arch), **only(syntax=syntax)}
    parts: list[tuple[str, dict[str, Any]]] = []
    chunk: list[str] = []
    size = 0
    for b in blocks:
        if not isinstance(b, str):
            raise TypeError(f"a block must be a string, not {type(b).__name__}")
        if chunk and (len(chunk) == CHUNK_BLOCKS or size + len(b) > CHUNK_BYTES):
            parts.append(("predict", {"blocks": chunk, **common}))
            chunk, size = [], 0
        chunk.append(b)
        size += len(b) + 4
    if chunk:
        parts.append(("predict", {"blocks": chunk, **common}))
    return Prepared(parts, lambda answers: Table(types.Record.from_json(r) for a in answers for r in a["rows"]))


def compare(before: Code, after: Code, *more: Code, arch: Arch = None, syntax: Optional[str] = None) -> Prepared:
    texts = []
    for c in (before, after, *more):
        data, file = read(c)
        if isinstance(data, bytes):
            raise InputError(f"{file} is an object file: incore.compare takes assembly text", "the command 'incore compare' compares object files")
        texts.append(data)
    return Prepared([("compare", {"texts": texts, "arch": archs(arch), **only(syntax=syntax)})], lambda a: types.Comparison.from_json(a[0]))


def deps(code: Code, arch: Arch = None, *, syntax: Optional[str] = None, war: bool = False, waw: bool = False, may: bool = False) -> Prepared:
    data, file = read(code)
    if isinstance(data, bytes):
        raise InputError(f"{file} is an object file: incore.deps takes assembly text", "the command 'incore deps' takes object files")
    return Prepared([("deps", {"text": data, "arch": archs(arch), "war": war, "waw": waw, "may": may, **only(syntax=syntax)})], lambda a: types.Deps.from_json(a[0]), file=file)


def explain(instruction: str, arch: Arch = None, *, syntax: Optional[str] = None) -> Prepared:
    return Prepared([("explain", {"instruction": instruction, "arch": archs(arch), **only(syntax=syntax)})], lambda a: types.Explanation.from_json(a[0]))


def measure(code: Code, *, syntax: Optional[str] = None) -> Prepared:
    data, file = read(code)
    if isinstance(data, bytes):
        raise InputError(f"{file} is an object file: incore.measure takes assembly text", "the command 'incore measure' takes object files")
    return Prepared([("measure", {"text": data, **only(syntax=syntax)})], lambda a: types.Measurement.from_json(a[0]), ("--allow-run",), file)


def machines() -> Prepared:
    return Prepared([("machines", {})], lambda a: Table(types.MachineInfo.from_json(m) for m in a[0]["machines"]))


def loops(path: Code, arch: Arch = None) -> Prepared:
    if len(names := archs(arch)) > 1:
        raise InputError(f"arch names {len(names)} machines ({', '.join(names)}): the loops are listed for one")
    data, file = read(Path(path) if isinstance(path, str) else path)
    if isinstance(data, str):
        raise InputError(f"{file} is no object file", "incore.analyze takes assembly text")
    return Prepared([("loops", object_file(data, file, arch))], lambda a: types.Loops.from_json(a[0]), file=file)


def placed(e: Error, file: Optional[str]) -> Error:
    """Adds the file to an error about its text."""
    if file and isinstance(e, InputError):
        e.file = file
    return e
