"""The base of the dataclasses of answers: made from JSON, shown in notebooks, converted to tables."""

from __future__ import annotations

import html
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Iterator, TypeVar

if TYPE_CHECKING:
    import pandas

V = TypeVar("V", bound="Value")
T = TypeVar("T")

_classes: dict[str, type[Value]] = {}


def link(classes: dict[str, type[Value]]) -> None:
    """Makes classes known by name, for fields that hold objects of them."""
    _classes.update(classes)
    for c in classes.values():
        c._lists = tuple((f.name, f.default_factory) for f in fields(c) if callable(f.default_factory))  # type: ignore[arg-type]


class Value:
    """An object of an answer. Fields that this version of the package does not know are left out; raw has them."""

    _renamed: ClassVar[dict[str, str]]
    _objects: ClassVar[dict[str, tuple[str, str]]]
    _lists: ClassVar[tuple[tuple[str, Any], ...]]
    _raw: dict[str, Any]

    def __init__(self, **values: Any) -> None:
        known = {f.name for f in fields(self)}  # type: ignore[arg-type]
        for name, make in self._lists:
            setattr(self, name, make())
        for name, value in values.items():
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
            setattr(self, name, value)

    @classmethod
    def from_json(cls: type[V], data: dict[str, Any]) -> V:
        """Makes a value of an object of JSON."""
        self = cls.__new__(cls)
        here = self.__dict__
        for name, make in cls._lists:
            here[name] = make()
        known, objects, renamed = cls.__dataclass_fields__, cls._objects, cls._renamed  # type: ignore[attr-defined]
        for key, value in data.items():
            name = renamed.get(key, key)
            if value is None or name not in known:
                continue
            if key in objects:
                kind, many = objects[key]
                make = _classes[kind].from_json
                if many == "one":
                    value = make(value)
                elif many == "list":
                    value = [make(v) for v in value]
                else:
                    value = {k: make(v) for k, v in value.items()}
            here[name] = value
        here["_raw"] = data
        return self

    @property
    def raw(self) -> dict[str, Any]:
        """The object of JSON that the value was made from."""
        return self.__dict__.get("_raw", {})

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in fields(self))  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ((f.name, getattr(self, f.name)) for f in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in shown if v not in (None, '', [], {}))})"


class Table(list[T]):
    """A list of values with a row each."""

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame with a column for each field that is no object."""
        import pandas

        return pandas.DataFrame(list(rows(self)))

    def _repr_html_(self) -> str:
        return html_table(rows(self))


def rows(values: Any) -> Iterator[dict[str, Any]]:
    for v in values:
        yield {f.name: getattr(v, f.name) for f in fields(v) if f.name not in v._objects}


def html_table(table: Any) -> str:
    """Returns a table of HTML."""
    list_ = list(table)
    if not list_:
        return "<p>none</p>"

    def cell(v: Any) -> str:
        return "" if v is None else html.escape(f"{v:.4g}" if isinstance(v, float) else ", ".join(map(str, v)) if isinstance(v, list) else str(v))

    head = "".join(f"<th>{html.escape(name)}</th>" for name in list_[0])
    return f"<table><tr>{head}</tr>" + "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in r.values()) + "</tr>" for r in list_) + "</table>"


class Tabular(Value):
    """An answer that is a table in the first place."""

    def _rows(self) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame with a row for each figure of the answer."""
        import pandas

        return pandas.DataFrame(list(self._rows()))

    def _repr_html_(self) -> str:
        return html_table(self._rows())


class Drawn(Tabular):
    """An answer that the page of 'incore --format html' draws."""

    def _repr_html_(self) -> str:
        from . import _page

        try:
            return _page(self.raw)
        except Exception:  # a notebook shows the table if the page cannot be had
            return super()._repr_html_()


class DocumentBase(Drawn):
    kernels: list[Any]

    @property
    def cycles(self) -> float:
        """Predicted cycles per iteration of the first kernel on the first machine. Its prediction tells whether they are certain: at_least, unknown_costs."""
        return self.kernels[0].targets[0].prediction.cycles

    def __str__(self) -> str:
        return "\n".join(f"{k.name} on {t.arch}: {t.prediction.text}" for k in self.kernels for t in k.targets)

    def _rows(self) -> Iterator[dict[str, Any]]:
        for k in self.kernels:
            for t in k.targets:
                p, u = t.prediction, t.prediction.unknown_costs
                low, high = (u.low, u.high) if u else (p.low, p.high)
                known = u is None or low == high
                yield {"kernel": k.name, "arch": t.arch, "cycles": low if u and (known or p.at_least) else p.cycles if known else None, "low": low, "high": None if p.at_least else high,
                       "bound": p.bound, "limit": p.cause, "instructions": len(t.instructions), "ipc": p.ipc if known and not p.at_least else None, "engine": p.engine, "at_least": p.at_least,
                       "unknown": u.instructions if u else 0}


class ComparisonBase(Tabular):
    loops: list[Any]
    versions: list[str]

    @property
    def documents(self) -> list[Any]:
        """The reports of the versions, each a Document."""
        return [_classes["Document"].from_json(d) for d in self.raw.get("documents", [])]

    def _rows(self) -> Iterator[dict[str, Any]]:
        for loop in self.loops:
            for r in loop.results:
                for name, v in zip(self.versions, r.versions):
                    there = not v.missing
                    yield {"loop": loop.name, "arch": r.arch, "version": name, "cycles": v.cycles if there else None, "at_least": v.at_least, "times": v.times if there else None,
                           "change": v.change if there and not v.incomparable else None, "bound": v.bound, "limit": v.limit}


class DepsBase(Tabular):
    kernels: list[Any]

    def _rows(self) -> Iterator[dict[str, Any]]:
        for k in self.kernels:
            for d in k.dependencies:
                yield {"kernel": k.name, "from": k.instructions[d.from_].text, "to": k.instructions[d.to].text, "kind": d.kind, "order": d.order, "via": d.via, "distance": d.distance,
                       "latency": d.latency, "must": d.must}


class LoopsBase(Tabular):
    loops: list[Any]

    def _rows(self) -> Iterator[dict[str, Any]]:
        return rows(self.loops)


class ExplanationBase(Tabular):
    instructions: list[Any]

    def _rows(self) -> Iterator[dict[str, Any]]:
        for i in self.instructions:
            for c in i.costs:
                known = "unknown" not in c.flags
                yield {"form": i.form, "arch": c.arch, "latency": c.latency if known else None, "latency_low": c.latency_low, "latency_high": None if c.open else c.latency_high,
                       "throughput": c.throughput if known else None, "slots": c.slots if known else None, "open": c.open, "source": c.source}


class MeasurementBase(Tabular):
    cycles: float

    def _rows(self) -> Iterator[dict[str, Any]]:
        return rows([self])
