package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// registers is the content of -gen-register-info's output.
type registers struct {
	regs    []register // index = LLVM's number - 1
	classes []regClass
}

type register struct {
	name  string
	subs  []string
	units []int
}

type regClass struct {
	name    string
	members []string
	bits    int
}

var (
	enumEntry  = regexp.MustCompile(`(?m)^\s*(\w+)(?:\s*=\s*(\d+))?,`)
	regClassID = regexp.MustCompile(`^\s*\{ (\w+), \w+Bits, \d+, \d+, sizeof\(\w+\), \w+::\w+RegClassID, (\d+),`)
	regList    = regexp.MustCompile(`const MCPhysReg (\w+)\[\] = \{`)
	qualified  = regexp.MustCompile(`\w+::(\w+)`)
)

func readRegisters(target, text string) (*registers, error) {
	names := registerNames(section(text, "GET_REGINFO_ENUM"))
	desc := section(text, "GET_REGINFO_MC_DESC")
	diffLines, ok := array(desc, "RegDiffLists")
	rows, ok2 := array(desc, "RegDesc")
	if !ok || !ok2 || len(names) == 0 {
		return nil, fmt.Errorf("no register descriptions found")
	}
	var diffs []int
	for _, l := range diffLines {
		diffs = append(diffs, ints(uncomment(l))...)
	}
	r := &registers{}
	for i, row := range rows {
		if i == 0 {
			continue // NoRegister
		}
		// name, sub-registers, super-registers, sub-register indices, register units, …
		f := ints(row)
		if len(f) < 5 {
			return nil, fmt.Errorf("register row %q", row)
		}
		x := register{name: names[i], subs: []string{}}
		for _, s := range walkDiffs(diffs, i, f[1]) {
			x.subs = append(x.subs, names[s])
		}
		// the low 12 bits are the first unit; the others are the position of the list of differences
		first := f[4] & 0xfff
		x.units = append([]int{first}, walkDiffs(diffs, first, f[4]>>12)...)
		r.regs = append(r.regs, x)
	}
	return r, r.readClasses(target, desc)
}

// registerNames numbers the enumerators of the first enum.
func registerNames(text string) map[int]string {
	_, text, _ = strings.Cut(text, "enum ") // "enum {", since LLVM 21 "enum : unsigned {"
	text, _, _ = strings.Cut(text, "};")
	names, n := map[int]string{}, 0
	for _, m := range enumEntry.FindAllStringSubmatch(text, -1) {
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		if m[1] != "NUM_TARGET_REGS" {
			names[n] = m[1]
		}
		n++
	}
	return names
}

// walkDiffs follows a zero-terminated list of 16-bit differences.
func walkDiffs(diffs []int, v, at int) []int {
	var out []int
	for ; diffs[at] != 0; at++ {
		v = (v + diffs[at]) & 0xffff
		out = append(out, v)
	}
	return out
}

func (r *registers) readClasses(target, desc string) error {
	members := map[string][]string{}
	for _, m := range regList.FindAllStringSubmatchIndex(desc, -1) {
		body, _, _ := strings.Cut(desc[m[1]:], "};")
		var l []string
		for _, q := range qualified.FindAllStringSubmatch(body, -1) {
			l = append(l, q[1])
		}
		members[desc[m[2]:m[3]]] = l
	}
	lines, ok := array(desc, target+"MCRegisterClasses")
	if !ok {
		return fmt.Errorf("no register classes found")
	}
	for _, l := range lines {
		if m := regClassID.FindStringSubmatch(l); m != nil {
			bits, _ := strconv.Atoi(m[2])
			r.classes = append(r.classes, regClass{m[1], members[m[1]], bits})
		}
	}
	return nil
}
