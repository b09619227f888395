"""The worker: a process of 'incore serve --stdio' that answers the requests of this one."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from typing import Any, Optional

from ._errors import Error, InputError, TimeLimitError, WorkerError

PROTOCOL = 1  # version of the methods that this package uses


def program() -> str:
    """Returns the path of incore: that of the variable INCORE_PROGRAM, of this package's installation, or of PATH."""
    if path := os.environ.get("INCORE_PROGRAM"):
        return path
    name = "incore.exe" if os.name == "nt" else "incore"
    here = Path(__file__).resolve().parent.parent
    places = [Path(sysconfig.get_path("scripts")), Path(sys.prefix) / ("Scripts" if os.name == "nt" else "bin"), here / "bin", here / "Scripts"]
    scheme = f"{os.name}_user"
    if scheme in sysconfig.get_scheme_names():
        places.append(Path(sysconfig.get_path("scripts", scheme)))
    for p in places:
        if (p / name).is_file():
            return str(p / name)
    if found := shutil.which("incore"):
        return found
    raise WorkerError("the program incore is not installed beside the package, nor on PATH", "INCORE_PROGRAM names it")


class Request(Future):  # type: ignore[type-arg]
    """A request that is under way. Its result is the answer, an object of JSON."""

    id: int
    worker: "Worker"

    def abandon(self) -> None:
        """Tells the worker that nobody waits for the answer."""
        self.worker._send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": self.id}})


class Worker:
    """A process of incore. Threads may share it."""

    def __init__(self, *options: str) -> None:
        try:
            self._process = subprocess.Popen([program(), "serve", "--stdio", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                             creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))
        except OSError as e:
            raise WorkerError(f"incore cannot be started: {e}") from None
        self._ids = itertools.count(1)
        self._under: dict[int, Request] = {}
        self._lock = threading.Lock()  # guards _under
        self._writing = threading.Lock()
        self.max_message: Optional[int] = None  # bytes; None: not agreed yet
        self.alive = True
        self._reader = threading.Thread(target=self._read, name="incore", daemon=True)
        self._reader.start()

    def submit(self, method: str, params: dict[str, Any]) -> Request:
        """Sends a request. One that the program would refuse for its length is not sent."""
        r = Request()
        r.id, r.worker = next(self._ids), self
        line = _line({"jsonrpc": "2.0", "id": r.id, "method": method, "params": params})
        if self.max_message is not None and len(line) > self.max_message:
            raise InputError(f"the request has {len(line)} bytes of JSON; incore takes at most {self.max_message} at a time", "the command incore takes larger files")
        with self._lock:
            if not self.alive:
                raise WorkerError("incore has ended")
            self._under[r.id] = r
        self._write(line)
        return r

    def _send(self, message: dict[str, Any]) -> None:
        self._write(_line(message))

    def _write(self, line: bytes) -> None:
        try:
            with self._writing:
                self._process.stdin.write(line)  # type: ignore[union-attr]
                self._process.stdin.flush()  # type: ignore[union-attr]
        except (OSError, ValueError):
            self._ended()

    def _read(self) -> None:
        try:
            for line in self._process.stdout:  # type: ignore[union-attr]
                m = json.loads(line)
                if not isinstance(m, dict):
                    break
                if m.get("id") is None and "error" in m:  # a message that it could not read: any of those under way
                    self._fail(_error(m["error"]))
                    continue
                with self._lock:
                    r = self._under.pop(m.get("id"), None)
                if r is None or not r.set_running_or_notify_cancel():
                    continue
                if "error" in m:
                    r.set_exception(_error(m["error"]))
                elif "result" in m:
                    r.set_result(m["result"])
                else:
                    r.set_exception(WorkerError("the program's answer is none of incore's"))
        except (OSError, ValueError):
            pass
        self._ended()

    def _ended(self) -> None:
        with self._lock:
            self.alive = False
        self._fail(WorkerError("incore ended during the request"))

    def _fail(self, error: Error) -> None:
        """Ends all requests that are under way."""
        with self._lock:
            left, self._under = list(self._under.values()), {}
        for r in left:
            if r.set_running_or_notify_cancel():
                r.set_exception(error)

    def close(self) -> None:
        """Ends the process."""
        self.alive = False
        try:
            self._process.stdin.close()  # type: ignore[union-attr]
        except (OSError, ValueError):
            pass
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(1)
        self._process.stdout.close()  # type: ignore[union-attr]


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _words(text: str) -> str:
    """Returns a message of the program in words of this package."""
    if text.startswith("send {"):  # a request of the worker as an example
        return ""
    return text.replace("the list of machines has", "incore.machines() lists").replace("the list of loops has", "incore.loops(path) lists")


def _error(e: dict[str, Any]) -> Error:
    data = e.get("data") if isinstance(e.get("data"), dict) else {}
    kind = {-32002: TimeLimitError, -32001: InputError, -32602: InputError, -32600: InputError}.get(e.get("code", 0), WorkerError)
    return kind(_words(e.get("message", "unknown error")), _words(data.get("hint", "")), data.get("diagnostics"))


_workers: dict[tuple[str, ...], Worker] = {}
_starting = threading.Lock()


def worker(*options: str) -> Worker:
    """Returns the worker with these options; it is started at the first request, and again if it has ended."""
    with _starting:
        w = _workers.get(options)
        if w is None or not w.alive:
            if w is not None:
                w.close()
            w = Worker(*options)
            _agree(w)
            _workers[options] = w
        return w


def _agree(w: Worker) -> None:
    """Agrees on the version of the methods."""
    try:
        offer = w.submit("initialize", {"protocols": [PROTOCOL]}).result(30)
        if not isinstance(offer, dict) or offer.get("protocol") != PROTOCOL:
            raise WorkerError("its answer is none of incore's")
        w.max_message = offer.get("max_message")
    except (Error, TimeoutError, FutureTimeout) as e:
        w.close()
        raise WorkerError(f"{program()} does not answer as incore does: {e or 'no answer'}") from None


def request(method: str, params: dict[str, Any], *options: str) -> Any:
    """Returns the answer to a request. If the worker ends during the request, it is sent to a new one once."""
    for last in (False, True):
        r = None
        try:
            r = worker(*options).submit(method, params)
            return r.result()
        except WorkerError:
            if last or r is None or r.worker.alive:
                raise
        except BaseException:
            if r is not None and not r.done():
                r.abandon()  # an interrupt
            raise
    return None


def close() -> None:
    """Ends the workers of this process. The next request starts a new one."""
    with _starting:
        for w in _workers.values():
            w.close()
        _workers.clear()


def _forked() -> None:
    """In a child of this process: the workers are the parent's."""
    global _starting
    _starting = threading.Lock()
    _workers.clear()


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
