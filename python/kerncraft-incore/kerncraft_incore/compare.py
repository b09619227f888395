"""Kernels by -p ECM with OSACA and with incore side by side: kerncraft-incore-compare MACHINE.yml KERNEL.c..."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile


def ecm(machine: str, kernel: str, model: str) -> dict[str, float]:
    """Returns T_comp, T_RegL1 and the sum of -p ECM of a kernel, in cycles per cache line."""
    with open(kernel) as f:
        deep = re.search(r"\]\s*\[", f.read())
    define = ["-D", "N", "1000", "-D", "M", "1000"] if deep else ["-D", "N", "1000000"]
    r = subprocess.run([sys.executable, "-c", "import kerncraft_incore; kerncraft_incore.main()", "-p", "ECM", "-m", machine, *define, kernel, "--incore-model", model, "--cache-predictor", "LC", "-vv"],
                       capture_output=True, text=True, cwd=os.path.dirname(kernel), stdin=subprocess.DEVNULL)
    found = [re.search(pattern, r.stdout) for pattern in (r"T_comp = ([\d.]+)", r"T_RegL1 = ([\d.]+)", r"T_ECM = [^\n]*\n[^\n]*\n\s+= ([\d.]+) cy/CL")]
    if r.returncode or None in found:
        raise RuntimeError("Kerncraft reported no ECM model:\n" + (r.stdout + r.stderr)[-500:])
    return dict(zip(("T_comp", "T_RegL1", "ECM"), (float(m[1]) for m in found if m)))


def main() -> None:
    """Writes a table in Markdown."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    machine, kernels = os.path.abspath(sys.argv[1]), [os.path.abspath(k) for k in sys.argv[2:]]
    print("| kernel | T_comp: OSACA | incore | T_RegL1: OSACA | incore | ECM: OSACA | incore |\n|---|---|---|---|---|---|---|")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:  # Kerncraft writes beside the kernel
        for k in kernels:
            copy, results = shutil.copy(k, folder), []
            for model in ("OSACA", "incore"):
                try:
                    results.append(ecm(machine, copy, model))
                except RuntimeError as e:
                    failed += model == "incore"
                    results.append({})
                    print(f"{os.path.basename(k)} with {model}: {e}", file=sys.stderr)
            cells = [f"{r[name]:.1f}" if r else "failed" for name in ("T_comp", "T_RegL1", "ECM") for r in results]
            print(f"| {os.path.splitext(os.path.basename(k))[0]} | {' | '.join(cells)} |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
