# Loads a machine model with OSACA, looks up its entries by their samples, and prints the port pressure of instructions.
import re
import sys

from osaca.parser import ParserAArch64, ParserX86ATT
from osaca.semantics import ArchSemantics, MachineModel

path, lines = sys.argv[1:3]
model = MachineModel(path_to_yaml=path)
parser = ParserAArch64() if model.get_ISA().lower() == "aarch64" else ParserX86ATT()
semantics = ArchSemantics(parser, model)
entries = wrong = 0
for e in re.finditer(r"- name: .* # (.*)\n((?:  .*\n)+)", open(path).read()):
    entries += 1
    latency = re.search(r"latency: (\S+)", e.group(2)).group(1)
    try:
        form = parser.parse_line(e.group(1), 1)
        semantics.normalize_instruction_forms([form])
        found = model.get_instruction(form.mnemonic, form.operands)
        good = found is not None and (found.latency is None or found.latency == float(latency))
    except ValueError:
        good = False
    if not good:
        print("not found:", e.group(1), file=sys.stderr)
    wrong += not good
print("entries", entries, "wrong", wrong)
for line in lines.split("\n"):
    kernel = parser.parse_file(line)
    semantics.normalize_instruction_forms(kernel)
    semantics.add_semantics(kernel)
    last = kernel[0].operands[-1:]
    chain = any(o in kernel[0].semantic_operands["src_dst"] for o in last)
    print(*kernel[0].port_pressure, "chain" if chain else "none")
