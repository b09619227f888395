package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// instrs is the content of -gen-instr-info's output.
type instrs struct {
	byName  map[string]*instr
	opcode  map[string]int
	classes []string             // scheduling class number → name
	helpers map[string][]caseRow // predicate functions over an instruction
}

// instr is LLVM's descriptor of an opcode.
type instr struct {
	opcode, ops, defs, size, class int
	uses, sets                     []string // implicit
	flags                          []string
	operands                       []mcOperand
}

// mcOperand is the generated description of an MC operand.
type mcOperand struct{ typ, constraint string }

// caseRow is a row of a predicate function: the opcodes (nil: all others) and their expression.
type caseRow struct {
	opcodes []string
	expr    any
}

var (
	operandRow = regexp.MustCompile(`\{ ([^,]+), ([^,]+), ([^,]+), ([^{}]*?) \}`)
	// implicit registers before operands; since LLVM 21 in the opposite order
	instrRow   = regexp.MustCompile(`\{ (\d+),\t(\d+),\t(\d+),\t(\d+),\t(\d+),\t(\d+),\t(\d+),\t(?:\w+ImpOpBase \+ (\d+),\t(\d+)|\w+OpInfoBase \+ (\d+),\t(\d+)),\t([^,]*), (0x[0-9a-f]+)ULL \}`)
	mcidFlag   = regexp.MustCompile(`MCID::(\w+)`)
	helperFunc = regexp.MustCompile(`bool (\w+)\(const MCInst &MI\) \{`)
)

func readInstrs(target, text string) (*instrs, error) {
	names := enumerators(section(text, "GET_INSTRINFO_ENUM"))
	in := &instrs{byName: map[string]*instr{}, opcode: map[string]int{}, helpers: map[string][]caseRow{}}
	sched := enumerators(section(text, "GET_INSTRINFO_SCHED_ENUM"))
	for n := range sched {
		for len(in.classes) <= n {
			in.classes = append(in.classes, "")
		}
	}
	for n, s := range sched {
		in.classes[n] = s
	}
	_, body, ok := strings.Cut(text, fmt.Sprintf("extern const %sInstrTable %sDescs = {", target, target))
	if !ok {
		return nil, fmt.Errorf("no instruction descriptors found")
	}
	body, _, _ = strings.Cut(body, "\n};")
	parts := strings.Split(body, "\n  }, {\n")
	if len(parts) == 4 { // since LLVM 21: instructions, implicit registers, padding, operands
		parts = []string{parts[0], parts[3], parts[1]}
	}
	if len(parts) != 3 {
		return nil, fmt.Errorf("instruction descriptors have %d parts, want instructions, operands, implicit registers", len(parts))
	}
	operands := readOperands(parts[1])
	var implicit []string
	for _, q := range qualified.FindAllStringSubmatch(parts[2], -1) {
		implicit = append(implicit, q[1])
	}
	for _, m := range instrRow.FindAllStringSubmatch(parts[0], -1) {
		var f [11]int
		for i := range f {
			f[i], _ = strconv.Atoi(m[i+1])
		}
		uses, sets, first, ops := f[5], f[6], f[7], f[8]
		if m[10] != "" {
			first, ops = f[10], f[9]
		}
		d := &instr{opcode: f[0], ops: f[1], defs: f[2], size: f[3], class: f[4]}
		if first+uses+sets > len(implicit) || ops+d.ops > len(operands) {
			return nil, fmt.Errorf("descriptor of %s points outside its tables", names[d.opcode])
		}
		d.uses, d.sets = implicit[first:first+uses], implicit[first+uses:first+uses+sets]
		d.operands = operands[ops : ops+d.ops]
		for _, g := range mcidFlag.FindAllStringSubmatch(m[12], -1) {
			d.flags = append(d.flags, g[1])
		}
		in.byName[names[d.opcode]], in.opcode[names[d.opcode]] = d, d.opcode
	}
	for _, n := range names {
		if in.byName[n] == nil && n != "INSTRUCTION_LIST_END" {
			return nil, fmt.Errorf("opcode %s has no descriptor", n)
		}
	}
	return in, in.readHelpers(section(text, "GET_INSTRINFO_MC_HELPERS"))
}

func readOperands(text string) []mcOperand {
	var out []mcOperand
	for _, m := range operandRow.FindAllStringSubmatch(comment.ReplaceAllString(text, ""), -1) {
		out = append(out, mcOperand{strings.TrimSpace(m[3]), strings.TrimSpace(m[4])})
	}
	return out
}

func (in *instrs) readHelpers(text string) error {
	for _, f := range functions(text, helperFunc) {
		body, err := parseCpp(f.body)
		if err != nil {
			return fmt.Errorf("%s: %w", f.head[1], err)
		}
		in.helpers[f.head[1]] = caseRows(body)
	}
	return nil
}

// caseRows makes rows from a body that is a switch over the opcode; the default is last.
func caseRows(body []stmt) []caseRow {
	var rows, others []caseRow
	for _, s := range body {
		switch s.kind {
		case "switch":
			for _, c := range s.cases {
				row := caseRow{expr: c.body[len(c.body)-1].expr}
				isDefault := false
				for _, l := range c.labels {
					isDefault = isDefault || l == "default"
					row.opcodes = append(row.opcodes, unqualified(l))
				}
				if isDefault {
					others = append(others, caseRow{expr: row.expr})
				} else {
					rows = append(rows, row)
				}
			}
		case "return":
			others = append(others, caseRow{expr: s.expr})
		}
	}
	return append(rows, others...)
}
