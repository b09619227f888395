"""Errors of requests."""

from __future__ import annotations

from typing import Any, Optional


class Error(Exception):
    """A request failed. message says why, hint what would help; file, line and column tell the place in the code, if there is one."""

    def __init__(self, message: str, hint: str = "", diagnostics: Optional[list[dict[str, Any]]] = None, file: Optional[str] = None) -> None:
        self.message, self.hint, self.diagnostics = message, hint, diagnostics or []
        first = next((d for d in self.diagnostics if d.get("line")), {})
        self.file: Optional[str] = file or first.get("file") or None
        self.line: Optional[int] = first.get("line")
        self.column: Optional[int] = first.get("col") or None
        super().__init__(message)

    def __str__(self) -> str:
        text = self.message
        if self.file and not text.startswith(self.file):
            text = f"{self.file}: {text}"
        return f"{text}\nhint: {self.hint}" if self.hint else text


class InputError(Error, ValueError):
    """The code cannot be analysed, or an argument is wrong."""


class TimeLimitError(Error):
    """The request took too long."""


class WorkerError(Error, RuntimeError):
    """The program incore is missing, does not understand the package, or ended during the request."""
