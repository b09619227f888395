package asm

import (
	"maps"
	"slices"
	"strings"

	"incore/internal/isa"
)

// table is a possible table of jump targets: data after labels in which each value begins with the name of a label.
type table struct {
	names   []string // labels of the table
	entries []string // labels that its values name
	targets []int32  // target instructions, each once, in the table's order
	low     int32    // least and greatest of the targets
	high    int32
	jumps   int // number of jumps through the table
}

// tables collects tables while a text is read.
type tables struct {
	list  []table
	names []string // labels since the last other statement
	open  bool     // the last table may continue
	none  bool     // in a section of debugging information
}

// maxEntries limits the entries of a table; maxShared limits the edges (jumps times targets) of a table that several jumps share.
const (
	maxEntries = 8192
	maxShared  = 1 << 17
)

// pointerDirectives define values with a width of table entries.
var pointerDirectives = map[string]bool{".byte": true, ".2byte": true, ".short": true, ".hword": true, ".half": true, ".4byte": true, ".word": true, ".long": true, ".int": true,
	".8byte": true, ".quad": true, ".xword": true, ".dword": true}

// label handles a label.
func (t *tables) label(name string) {
	if t.open {
		t.open, t.names = false, t.names[:0]
	}
	t.names = append(t.names, name)
}

// end ends the current table, because the next statement is no data.
func (t *tables) end() { t.open, t.names = false, t.names[:0] }

// data handles a data directive: entries are ".L3", ".L3-.L4" or "(.L3 - .L4) / 4".
func (t *tables) data(name, args string) {
	if t.none || !pointerDirectives[name] || len(t.names) == 0 && !t.open {
		return
	}
	var entries []string
	for v := range strings.SplitSeq(args, ",") {
		v = strings.TrimLeft(strings.TrimSpace(v), "(")
		n := 0
		for n < len(v) && isName(v[n]) {
			n++
		}
		if n == 0 || v[0] >= '0' && v[0] <= '9' {
			t.end()
			return
		}
		entries = append(entries, v[:n])
	}
	if !t.open {
		t.list, t.open = append(t.list, table{names: slices.Clone(t.names)}), true
		t.names = t.names[:0]
	}
	if last := &t.list[len(t.list)-1]; len(last.entries) < maxEntries {
		last.entries = append(last.entries, entries...)
	}
}

// Largest distances, in instructions of the text, from an indirect jump back to the instruction that names its table and to the load of the entry.
const (
	tableNamed  = 400
	tableLoaded = 16
)

// linkTables finds the tables of indirect jumps: a table whose targets are in the function of the jump; of several tables, the last one named before the jump.
// It does not follow registers from the table's name to the jump. An indirect jump without a preceding load of a table entry is a tail call.
func (p *Program) linkTables(list []table) {
	named := map[string]int{}
	for i := range list {
		t := &list[i]
		if !p.resolve(t) {
			continue
		}
		for _, n := range t.names {
			named[n] = i
		}
	}
	if len(named) == 0 {
		return
	}
	p.tables = map[int32]*table{}
	for i := range p.insts {
		if p.insts[i].flow != isa.FlowIndirect {
			continue
		}
		first, end := 0, len(p.insts)
		if f := p.function(i); f != nil {
			first, end = f.First, f.End
		}
		if k := p.tableOf(i, first, end, list, named); k >= 0 && p.loadsEntry(i, first) {
			list[k].jumps++
			p.tables[int32(i)] = &list[k]
		}
	}
	maps.DeleteFunc(p.tables, func(_ int32, t *table) bool { return t.jumps > 1 && t.jumps*len(t.targets) > maxShared })
}

// resolve finds the instructions that the entries of a table name; false means that a name is no label of an instruction.
func (p *Program) resolve(t *table) bool {
	seen := map[int32]bool{}
	for _, e := range t.entries {
		l, ok := p.byName[e]
		if !ok || int(p.labels[l].inst) >= len(p.insts) {
			return false
		}
		if to := p.labels[l].inst; !seen[to] {
			seen[to] = true
			t.targets = append(t.targets, to)
		}
	}
	if len(t.targets) < 2 {
		return false
	}
	t.low, t.high = slices.Min(t.targets), slices.Max(t.targets)
	return true
}

// tableOf returns the table of the jump at instruction i of the function first to end-1, -1 if no table is found.
func (p *Program) tableOf(i, first, end int, list []table, named map[string]int) int {
	within := func(k int) bool { return int(list[k].low) >= first && int(list[k].high) < end }
	for n := i; n >= max(first, i-tableNamed); n-- {
		for _, w := range strings.FieldsFunc(p.instText(n), func(r rune) bool { return r >= 0x80 || !isName(byte(r)) }) {
			if k, ok := named[w]; ok && within(k) {
				return k
			}
		}
	}
	only := -1
	for _, k := range named {
		if within(k) && k != only {
			if only >= 0 {
				return -1
			}
			only = k
		}
	}
	return only
}

// loadsEntry reports whether the jump at instruction i, or an instruction shortly before it, loads from a computed address: one with an index register, or one that
// an instruction other than a load wrote.
func (p *Program) loadsEntry(i, first int) bool {
	a := p.Language.ISA
	var e isa.Effects
	var lines []isa.Line
	for n := max(first, i-tableLoaded); n <= i; n++ {
		lines = p.Lines(lines, n)
	}
	var computed []isa.Reg
	for k := range lines {
		in := &lines[k].Inst
		if in.Form == isa.NoForm {
			continue
		}
		a.Effects(in, &e)
		load := false
		for m := range e.Mem {
			r := &e.Mem[m]
			load = load || r.Load
			if r.Load && (r.Index != isa.NoReg || slices.Contains(computed, r.Base)) {
				return true
			}
		}
		for _, w := range e.Writes {
			computed = slices.DeleteFunc(computed, func(r isa.Reg) bool { return r == w.Reg })
			if !load {
				computed = append(computed, w.Reg)
			}
		}
	}
	return false
}

// tableJumps sets the successors of blocks that end in a jump through a table. If several jumps share a table (an interpreter in which the code of each instruction
// jumps to the next), every path from one jump to another would be a loop; therefore a jump only gets the targets that lead back to it without another indirect jump.
func (p *Program) tableJumps() {
	if len(p.tables) == 0 {
		return
	}
	more := make([][]int32, len(p.blocks))
	for b := range p.blocks {
		t := p.tables[p.blocks[b].end-1]
		if t == nil {
			continue
		}
		var back map[int32]bool
		if t.jumps > 1 {
			back = p.leadingTo(int32(b))
		}
		for _, i := range t.targets {
			if to := int32(p.blockOf(int(i))); t.jumps == 1 || back[to] {
				more[b] = append(more[b], to)
			}
		}
	}
	p.more = more
	p.indexPreds()
}

// leadingTo returns the blocks from which a block is reached without an indirect jump, including the block itself.
func (p *Program) leadingTo(to int32) map[int32]bool {
	seen, work := map[int32]bool{to: true}, []int32{to}
	add := func(b int32) {
		if !seen[b] {
			seen[b] = true
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b > 0 && p.blocks[b-1].next == b {
			add(b - 1)
		}
		for _, from := range p.preds(b) {
			add(from)
		}
	}
	return seen
}
