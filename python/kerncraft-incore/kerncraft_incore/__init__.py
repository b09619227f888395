"""Kerncraft with incore as a further in-core model.

Kerncraft has no interface for in-core models: install() adds one to its classes, and to each machine file when it is read. The files on disk stay as they are.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections import OrderedDict
from typing import Any

import incore

NAME = "incore"
LOADS = "LOADS"  # the pseudo port of the cycles in which loads move data, which do not overlap with transfers between caches


def arch_of(machine: Any) -> str:
    """Returns the machine of incore for a machine file: that of INCORE_ARCH, or the one that OSACA takes."""
    if name := os.environ.get("INCORE_ARCH"):
        return name
    models = machine["in-core model"]
    if "OSACA" not in models:
        raise ValueError("the machine file names no machine for OSACA: INCORE_ARCH names one for incore")
    return str(models["OSACA"])


def add_model(machine: Any) -> None:
    """Adds incore to a machine file in memory: its name, its ports, and which of them are loads, as far as the file says that loads do not overlap."""
    models = machine["in-core model"]
    if NAME in models or not models:
        return
    try:
        arch = arch_of(machine)
    except ValueError:
        return
    other = "OSACA" if "OSACA" in models else next(iter(models))
    info = next((m for m in incore.machines() if arch.lower() in [m.name, *(a.lower() for a in m.aliases)]), None)
    if info is None:
        return
    apart = machine["non-overlapping model"]["ports"].get(other, [])
    models[NAME] = arch
    machine["overlapping model"]["ports"][NAME] = list(info.ports)
    machine["non-overlapping model"]["ports"][NAME] = [LOADS] if apart else []


_plain = {"x86": "mov (%rax), %rbx", "aarch64": "ldr x0, [x1]"}


def load_cycles(target: incore.types.Target, arch: str, isa: str) -> float:
    """Returns the cycles in which the loads of a loop keep the load ports busy, each load port equally. An instruction of which they are not known is an error."""
    plain = incore.explain(_plain[isa.lower()], arch).instructions[0].costs[0].ports
    ports = sum(1 for cycles in plain.values() if cycles > 0) or 1
    known: dict[str, float] = {}
    total = 0.0
    for i in target.instructions:
        if i.form not in known:
            try:
                found = incore.explain(i.form, arch).instructions[0]
            except incore.InputError as e:
                raise incore.InputError(f"line {i.line}: the loads of '{i.text}' are not known: {e.message}") from None
            costs = found.costs[0]
            known[i.form] = sum(u.cycles for u in costs.uops if u.kind == "load" and not u.resource)
            if not known[i.form] and "unknown" in costs.flags and any("load" in m for m in found.memory):
                raise incore.InputError(f"line {i.line}: the costs of the load in '{i.text}' are not known on {arch}")
        total += known[i.form]
    return total / ports


def analyse(text: str, arch: str, isa: str) -> dict[str, Any]:
    """Returns incore's analysis of marked assembly in Kerncraft's form."""
    document = incore.analyze(text, arch)
    target = document.kernels[0].targets[0]
    cycles = OrderedDict(target.throughput.ports)
    cycles[LOADS] = load_cycles(target, arch, isa)
    chains = [c.cycles for c in target.loop_carried]
    p = target.prediction
    if p.at_least or p.unknown_costs:  # Kerncraft's models take a figure
        warnings.warn(f"the cycles are not certain: {p.text}", stacklevel=2)
    throughput = p.unknown_costs.low if p.at_least and p.unknown_costs else p.cycles
    return {"output": f"{target.title}: {p.text}\n{target.words.trust}", "port cycles": cycles, "throughput": throughput,
            "lcd": max(chains, default=0), "cp_latency": target.critical_path.cycles, "uops": target.throughput.slots}


def install() -> None:
    """Adds the model to Kerncraft."""
    from kerncraft import incore_model
    from kerncraft.kernel import KernelCode
    from kerncraft.machinemodel import MachineModel

    if getattr(KernelCode, "_incore", False):
        return
    original, init = KernelCode.incore_analysis, MachineModel.__init__

    def incore_analysis(self: Any, asm_block: Any = "auto", pointer_increment: Any = "auto_with_manual_fallback", model: Any = None, verbose: bool = False) -> Any:
        if self._machine.get_incore_model(model) != NAME:
            return original(self, asm_block=asm_block, pointer_increment=pointer_increment, model=model, verbose=verbose)
        if NAME not in self._machine["in-core model"]:
            raise RuntimeError("incore knows no machine for this machine file: INCORE_ARCH names one")
        marked = self.get_intermediate_location("kernel-marked-incore.s", other_dependencies=[asm_block, pointer_increment])
        name, lock = self.compile_kernel(assembly=True, verbose=verbose)
        with open(name) as source, open(marked, "w") as out:
            _, self.pointer_increment = incore_model.asm_instrumentation(source, out, block_selection=asm_block, pointer_increment=pointer_increment, isa=self._machine["isa"])
        lock.close()
        with open(marked) as f:
            try:
                return analyse(f.read(), str(self._machine["in-core model"][NAME]), self._machine["isa"]), self.pointer_increment
            except incore.Error as e:
                raise RuntimeError(f"incore: {e}") from None

    def with_model(self: Any, *args: Any, **options: Any) -> None:
        init(self, *args, **options)
        add_model(self)

    KernelCode.incore_analysis, KernelCode._incore = incore_analysis, True
    MachineModel.__init__ = with_model


def main() -> None:
    """Kerncraft's command line, with incore as the default of --incore-model."""
    install()
    from kerncraft import kerncraft

    if not any(a == "-i" or a.startswith("--incore-model") for a in sys.argv):
        sys.argv[1:1] = ["--incore-model", NAME]
    kerncraft.main()
