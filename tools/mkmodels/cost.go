package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// converter turns one LLVM model into rows.
type converter struct {
	s     *sched
	fs    *formSource
	p     *portMap
	pipes *pipes
	tags  map[int]bool // writes that some read-advance names
	// loads holds the latency of a plain load by register kind: the load's part
	// in rows without a ReadAdvance.
	loads map[string]int
	// parts holds for each scheduling class the latency that the load adds: the difference between
	// the class's forms and their register siblings (addsd mem against addsd reg).
	parts map[int]int
	// standIns are placeholder descriptions with a very long latency, for instructions that LLVM does not describe.
	standIns map[*desc]bool
}

// standIn lists the classes of LLVM's X86Schedule.td for "Microcoded Instructions" and "System instructions",
// and the latency that all of its models give them.
var standIn = []string{"WriteMicrocoded", "WriteSystem"}

const standInLatency = 100

// endBranches are the instructions that mark targets of indirect jumps. They are NOPs if branch tracking is off (Intel SDM, volume 1, "Indirect branch
// tracking"), whatever their class in LLVM is.
var endBranches = []string{"ENDBR32", "ENDBR64"}

// microcoded are instructions of many µops to which most models give the cost of a plain store. The store of a decimal number converts 18 digits.
var microcoded = []string{"FBSTPm"}

// findStandIns finds the model's descriptions of the classes of standIn; every other class that shares one of them is not described either.
func (c *converter) findStandIns() {
	c.standIns = map[*desc]bool{}
	for k, n := range c.fs.SchedClasses {
		if !slices.Contains(standIn, n) || k >= len(c.s.Classes) {
			continue
		}
		if d := c.classOf(k); d != nil && maxLatency(d) == standInLatency {
			c.standIns[d] = true
		}
	}
}

// findParts compares loading forms with their register siblings. LLVM's ReadAdvance is one figure for all
// vector loads of a model, and often differs from the latency that the model adds for the load; register operands
// would then have a longer (or shorter) latency than without a load. findParts takes the most frequent difference in a class,
// if it is within a cycle or two of a plain load's latency.
func (c *converter) findParts() {
	c.parts = map[int]int{}
	low, high := c.loads["int"], 0
	for _, l := range c.loads {
		low, high = min(low, l), max(high, l)
	}
	for k, forms := range c.fs.class {
		d := c.classOf(k)
		if d == nil {
			continue
		}
		count, best := map[int]int{}, 0
		for _, f := range forms {
			if s := c.sibling(f); s != nil && c.fs.is(f, "MayLoad") {
				if part := maxLatency(d) - maxLatency(s); part >= low-1 && part <= high+1 {
					count[part]++
				}
			}
		}
		for part, n := range count {
			if n > count[best] || n == count[best] && part < best {
				best = part
			}
		}
		if best > 0 {
			c.parts[k] = best
		}
	}
}

// sibling returns the cost of the same form with a register in place of memory: its
// name has r in place of an m.
func (c *converter) sibling(f *form) *desc {
	for i := len(f.N) - 1; i > 0; i-- {
		if f.N[i] != 'm' {
			continue
		}
		for _, n := range []string{f.N[:i] + "r" + f.N[i+1:], f.N[:i] + "r" + strings.TrimPrefix(f.N[i+1:], "b")} {
			if s := c.fs.name[n]; s != nil && !c.fs.is(s, "MayLoad") {
				return c.classOf(s.SC)
			}
		}
	}
	return nil
}

// advance returns the largest unconditional ReadAdvance of a class: LLVM's figure for the load.
func advance(d *desc) int {
	part := 0
	for _, a := range d.Advance {
		if a[1] == 0 {
			part = max(part, a[2])
		}
	}
	return part
}

// cost writes the fields after the forms of a row: "µops | latency | attributes".
func (c *converter) cost(d *desc, f *form) string {
	uops, listed, load := c.uops(d, f)
	attr := c.attributes(d, f, listed, load)
	if attr != "" {
		attr = " | " + attr
	}
	return uops + " | " + c.latency(d, c.part(d, f)) + attr
}

// uops writes the µops of a class; n is their number, load the number of loads among them.
func (c *converter) uops(d *desc, f *form) (text string, n, load int) {
	uses := slices.Clone(d.Uses)
	slices.SortStableFunc(uses, func(a, b use) int { return memoryFirst(c, b) - memoryFirst(c, a) })
	total := 0
	for _, u := range uses {
		if !c.p.resource(c.p.set[u.Res]) {
			total += u.Release - u.Acquire
		}
	}
	loads, stores := c.fs.is(f, "MayLoad"), c.fs.is(f, "MayStore")
	var parts []string
	done := map[uint64]int{}
	for _, u := range uses {
		set := c.p.set[u.Res]
		cycles := u.Release - u.Acquire
		if cycles <= 0 || c.repeated(u, d.Uses) {
			continue
		}
		done[set]++
		name := c.p.text[set]
		kind := c.pipes.kind(c.p.name[u.Res], loads, stores)
		res := c.p.resource(set)
		if res {
			kind = ""
		}
		if kind == "/load" {
			loads = loads && stores // the first µop of a read-modify-write is the load
			load++
		}
		parts = append(parts, useText(name, kind, u, !res && total == d.Uops))
		if !res {
			if total == d.Uops {
				n += cycles
			} else {
				n++
			}
		}
	}
	if len(parts) == 0 {
		return "-", 0, 0
	}
	if loads && load == 0 { // the model has no separate pipe for loads: the first µop is the load
		for i, p := range parts {
			if !strings.ContainsAny(p, "/") && !c.p.resource(c.p.set[uses[i].Res]) {
				parts[i] += "/load"
				load = 1
				break
			}
		}
	}
	return strings.Join(parts, " "), n, load
}

// memoryFirst orders µops: memory pipes before the others.
func memoryFirst(c *converter, u use) int {
	if k := c.pipes.kind(c.p.name[u.Res], true, true); k == "/load" || k == "/sta" {
		return 1
	}
	return 0
}

// repeated reports a use that duplicates another one: of a pipe whose alias is also listed.
func (c *converter) repeated(u use, all []use) bool {
	for _, o := range all {
		if o.Res != u.Res && c.p.set[o.Res] == c.p.set[u.Res] && c.s.Res[o.Res].Super != 0 && c.p.alias(o.Res) == u.Res {
			return o.Release >= u.Release
		}
	}
	return false
}

// useText writes one use: split makes several µops of one cycle of it.
func useText(name, kind string, u use, split bool) string {
	start := ""
	if u.Acquire > 0 {
		start = fmt.Sprintf("@%d", u.Acquire)
	}
	switch n := u.Release - u.Acquire; {
	case n == 1:
		return name + start + kind
	case split && start == "":
		return fmt.Sprintf("%d*%s%s", n, name, kind)
	default:
		return fmt.Sprintf("%s%s:%d%s", name, start, n, kind)
	}
}

// part returns the load's part of a class by findParts, 0 if it is not known.
func (c *converter) part(d *desc, f *form) int {
	if d != c.classOf(f.SC) {
		return 0
	}
	return c.parts[f.SC]
}

// latency writes the latency field; part, if not 0, replaces the ReadAdvance for loads.
func (c *converter) latency(d *desc, part int) string {
	var out []string
	same := true
	for _, w := range d.Lat {
		t := "?"
		if w.Cycles >= 0 {
			t = strconv.Itoa(w.Cycles)
		}
		if c.tags[w.ID] {
			t += fmt.Sprintf("#%d", w.ID)
		}
		out = append(out, t)
		same = same && t == out[0]
	}
	text := "0"
	switch {
	case len(out) > 0 && same:
		text = out[0]
	case len(out) > 0:
		text = strings.Join(out, ",")
	}
	for _, a := range d.Advance {
		if a[2] == 0 {
			continue
		}
		late := a[2]
		if part > 0 && a[1] == 0 && late == advance(d) {
			late = part
		}
		text += fmt.Sprintf(" r%d%+d", a[0], -late)
		if a[1] != 0 {
			text += fmt.Sprintf("#%d", a[1])
		}
	}
	return text
}

func (c *converter) attributes(d *desc, f *form, listed, load int) string {
	var out []string
	if load > 0 && (listed > load || len(d.Advance) > 0) {
		if ld := c.loadPart(d, f); ld >= 0 && (listed > load || ld != maxLatency(d)) {
			out = append(out, fmt.Sprintf("ld=%d", ld))
		}
	}
	if d.Uops != listed {
		out = append(out, fmt.Sprintf("uops=%d", d.Uops))
	}
	if r, ours := c.rthru(d); math.Abs(r-ours) > 1e-6 {
		out = append(out, "rthru="+strconv.FormatFloat(r, 'g', 8, 64))
	}
	if c.standIns[d] {
		out = append(out, "stand-in")
	}
	return strings.Join(out, " ")
}

func maxLatency(d *desc) int {
	m := 0
	for _, w := range d.Lat {
		m = max(m, w.Cycles)
	}
	return m
}

// loadPart returns the load's part of the latency: the difference to the register sibling, otherwise the ReadAdvance of
// register operands, otherwise the latency of a plain load to the same kind of register.
func (c *converter) loadPart(d *desc, f *form) int {
	part := c.part(d, f)
	if part == 0 {
		part = advance(d)
	}
	if part == 0 {
		part = c.loads[registerKind(f)]
	}
	if part == 0 {
		return -1
	}
	return min(part, maxLatency(d))
}

// registerKind returns the kind of register, by the form's operand classes; each kind has its own load latency.
func registerKind(f *form) string {
	kind := "int"
	for _, o := range slices.Concat(f.O, f.I) {
		_, class, _ := strings.Cut(o, ":")
		switch {
		case strings.HasPrefix(class, "VR512"):
			return "zmm"
		case strings.HasPrefix(class, "VR256"):
			kind = "ymm"
		case kind == "int" && (strings.HasPrefix(class, "VR") || strings.HasPrefix(class, "FR") || strings.HasPrefix(class, "FPR") ||
			strings.HasPrefix(class, "Vec") || strings.HasPrefix(class, "V1") || strings.HasPrefix(class, "Z")):
			kind = "vec"
		}
	}
	return kind
}

// plainLoads names the forms that give the load latencies of registerKind; plainStores the form for stores.
var (
	plainLoads = map[string]map[string]string{
		"X86":     {"int": "MOV64rm", "vec": "MOVAPSrm", "ymm": "VMOVAPSYrm", "zmm": "VMOVAPSZrm"},
		"AArch64": {"int": "LDRXui", "vec": "LDRQui"},
		"RISCV":   {"int": "LD", "vec": "FLD"},
	}
	plainStores = map[string]string{"X86": "MOV64mr", "AArch64": "STRXui", "RISCV": "SD"}
)

// classOf resolves variants to the default class of a form.
func (c *converter) classOf(class int) *desc {
	for range 10 {
		switch i := c.s.Classes[class]; {
		case i >= 0:
			return &c.s.Desc[i]
		case i == -2:
			class = c.s.Variants[strconv.Itoa(class)].Def
		default:
			return nil
		}
	}
	return nil
}

func (c *converter) formDesc(name string) *desc {
	f := c.fs.name[name]
	if f == nil {
		return nil
	}
	return c.classOf(f.SC)
}

// rthru returns LLVM 19's reciprocal throughput of a class, and what our reader computes from the row.
func (c *converter) rthru(d *desc) (llvm, ours float64) {
	uses := map[uint64]float64{}
	for _, u := range d.Uses {
		if !c.repeated(u, d.Uses) && u.Release > u.Acquire {
			uses[c.p.set[u.Res]] += float64(u.Release)
		}
	}
	best := 0.0
	for i, cycles := range expandUses(d.Uses, c.s.Res) {
		if cycles > 0 {
			best = max(best, float64(cycles)/float64(c.s.Res[i].Units))
		}
	}
	width := float64(max(1, c.s.Params.IssueWidth))
	if best == 0 {
		best = float64(d.Uops) / width
	}
	if ours = c.p.rthru(uses); ours == 0 {
		ours = float64(d.Uops) / width
	}
	return best, ours
}

// expandUses adds to each use the use of every group that contains the resource, as in LLVM's tables;
// the use of a super resource is already listed and is not added to groups.
func expandUses(uses []use, res []resource) []int {
	units := func(i int) []int {
		if len(res[i].Members) > 0 {
			return res[i].Members
		}
		return []int{i}
	}
	within := func(i, g int) bool {
		for _, m := range units(i) {
			if !slices.Contains(res[g].Members, m) {
				return false
			}
		}
		return true
	}
	super, out := make([]int, len(res)), make([]int, len(res))
	for _, u := range uses {
		super[res[u.Res].Super] += u.Release
	}
	super[0] = 0
	for _, u := range uses {
		out[u.Res] += u.Release
		if rest := u.Release - super[u.Res]; rest > 0 {
			for g := range res {
				if g != u.Res && len(res[g].Members) > 0 && within(u.Res, g) {
					out[g] += rest
				}
			}
		}
	}
	return out
}
