//go:build linux && amd64

package advice_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/report"
)

// This file does around a changed loop what the advice leaves to the reader: it sets further accumulators, broadcasts invariants, computes reciprocals, and
// combines partial results.

// harness runs a changed loop from a state of its own.
type harness struct {
	x     *trial
	from  *state
	sums  []partial
	apart [][2]uint64 // memory that only the changed loop has otherwise
}

// partial is a reduction: the register of the original and those of the changed loop.
type partial struct {
	reg   string
	regs  []string
	op    operation
	width int // bytes of the original that count
}

// operation is what a mnemonic does to each element.
type operation struct {
	kind   string // "sum", "product", "minimum", "maximum", "and", "or", "xor"
	float  bool
	signed bool
	bytes  int  // of an element
	scalar bool // only the first element
}

var (
	floatOp  = regexp.MustCompile(`^v?(add|sub|mul|div|min|max|fn?m(?:add|sub)\d+|sqrt|mov|ucomi|and|or|xor|andn|movu|mova|comi|broadcast|cvt\w*)(s|p)(s|d)$`)
	scalarOp = regexp.MustCompile(`^v?[a-oq-z]\w*s[sd]$`)
	intOp    = regexp.MustCompile(`^v?p(add|sub|mins|minu|maxs|maxu)(b|w|d|q)$`)
	logicOp  = regexp.MustCompile(`^v?p?(and|or|xor)(ps|pd|d|q|l|w|b)?$`)
	plainOp  = regexp.MustCompile(`^(add|sub|imul)(l|q|w|b)?$`)
)

var kinds = map[string]string{"add": "sum", "sub": "sum", "fmadd231": "sum", "fnmadd231": "sum", "mul": "product", "imul": "product", "min": "minimum", "max": "maximum",
	"mins": "minimum", "minu": "minimum", "maxs": "maximum", "maxu": "maximum"}

// operationOf reads a statement's operation; register is its destination.
func operationOf(statement string) (o operation, register string) {
	m := strings.Fields(statement)[0]
	if register = statement[strings.LastIndexAny(statement, " \t,")+1:]; strings.Contains(register, ")") || !strings.HasPrefix(register, "%") {
		register = ""
	}
	register = strings.TrimPrefix(register, "%")
	sizes := map[string]int{"b": 1, "w": 2, "d": 4, "l": 4, "q": 8, "": 8}
	switch {
	case floatOp.MatchString(m):
		p := floatOp.FindStringSubmatch(m)
		o = operation{kind: kinds[p[1]], float: true, bytes: map[string]int{"s": 4, "d": 8}[p[3]], scalar: p[2] == "s"}
		if slices.Contains([]string{"and", "or", "xor"}, p[1]) {
			o = operation{kind: p[1], bytes: 8}
		}
	case intOp.MatchString(m):
		p := intOp.FindStringSubmatch(m)
		o = operation{kind: kinds[p[1]], bytes: sizes[p[2]], signed: strings.HasSuffix(p[1], "s")}
	case plainOp.MatchString(m):
		p := plainOp.FindStringSubmatch(m)
		o = operation{kind: kinds[p[1]], bytes: generalBytes(register), scalar: true}
	case logicOp.MatchString(m):
		p := logicOp.FindStringSubmatch(m)
		o = operation{kind: p[1], bytes: 8}
		if !strings.Contains(register, "mm") {
			o.scalar, o.bytes = true, generalBytes(register)
		}
	case scalarOp.MatchString(m):
		o = operation{float: true, scalar: true, bytes: map[string]int{"s": 4, "d": 8}[m[len(m)-1:]]}
	case m == "vpdpbusd" || m == "vpdpwssd":
		o = operation{kind: "sum", bytes: 4}
	}
	return o, register
}

// generalBytes is the width of a general register by its name.
func generalBytes(name string) int {
	switch {
	case strings.HasPrefix(name, "e"), strings.HasSuffix(name, "d"):
		return 4
	case strings.HasPrefix(name, "r") && !strings.HasSuffix(name, "b") && !strings.HasSuffix(name, "w"):
		return 8
	case len(name) == 2 && name[1] != 'l' || strings.HasSuffix(name, "w"):
		return 2
	}
	return 1
}

// bytes returns a register's bytes in a state, to read and to write through set.
func (h *harness) bytes(s *state, name string) []byte {
	if strings.Contains(name, "mm") {
		var n int
		fmt.Sscanf(name[3:], "%d", &n)
		return s.vec[n][:]
	}
	b := make([]byte, 8)
	binary.LittleEndian.PutUint64(b, s.gpr[h.number(name)])
	return b
}

func (h *harness) set(s *state, name string, b []byte) {
	if strings.Contains(name, "mm") {
		copy(h.bytes(s, name), b)
		return
	}
	v := make([]byte, 8)
	copy(v, b)
	s.gpr[h.number(name)] = binary.LittleEndian.Uint64(v)
}

func (h *harness) number(name string) int {
	n := number(h.x.run.set, h.x.run.set.Regs.Spelled(name))
	if n < 0 {
		panic("no register " + name + "\n" + h.x.name + "\n" + h.x.listing())
	}
	return n
}

// vectorBytes is the width of a vector register by its name.
func vectorBytes(name string) int {
	return map[byte]int{'x': 16, 'y': 32, 'z': 64}[name[0]]
}

// same reports whether two names are parts of one register.
func (h *harness) same(a, b string) bool {
	rt := h.x.run.set.Regs
	return rt.Overlap(rt.Spelled(a), rt.Spelled(b))
}

// carried reports whether the original loop reads a register before it writes it, and writes it.
func (h *harness) carried(name string) bool {
	r := h.x.run.set.Regs.Spelled(name)
	early, writes := false, false
	for _, e := range h.x.effects {
		for _, a := range e.Reads {
			early = early || !writes && h.x.run.set.Regs.Overlap(a.Reg, r)
		}
		for _, a := range e.Writes {
			writes = writes || h.x.run.set.Regs.Overlap(a.Reg, r)
		}
	}
	return early && writes
}

// written reports whether the original loop writes a register.
func (h *harness) written(name string) bool {
	r := h.x.run.set.Regs.Spelled(name)
	return slices.ContainsFunc(h.x.effects, func(e isa.Effects) bool {
		return slices.ContainsFunc(e.Writes, func(a isa.Access) bool { return h.x.run.set.Regs.Overlap(a.Reg, r) })
	})
}

// start changes the state for the changed loop; why is the reason why that cannot be done.
func (h *harness) start() (pre []string, why string) {
	a := h.x.advice
	switch a.Kind {
	case "accumulators", "wider-vectors":
		if why := h.partials(); why != "" {
			return nil, why
		}
		if a.Kind == "wider-vectors" {
			h.broadcast()
		}
	case "reciprocal":
		h.reciprocals()
	case "addressing":
		h.pointers()
	case "false-dependency":
		if slices.Contains(a.Assumes, "upper-bits") {
			for _, o := range a.Operands {
				h.from.gpr[h.number(o)] = 0
				h.x.from.gpr[h.number(o)] = 0
			}
		}
	case "keep-in-register":
		return nil, h.kept()
	}
	return nil, ""
}

// partials finds the reductions and sets their further accumulators and lanes.
func (h *harness) partials() string {
	for i, s := range h.x.before {
		o, reg := operationOf(s)
		if reg == "" || !h.carried(reg) || o.kind == "" || slices.ContainsFunc(h.sums, func(p partial) bool { return h.same(p.reg, reg) }) {
			continue
		}
		p := partial{reg: reg, op: o, width: o.bytes}
		for _, l := range h.x.advice.Code {
			if l.From != i {
				continue
			}
			_, to := operationOf(l.Text)
			if to == "" || !h.same(reg, to) && !strings.Contains(to, "mm") == strings.Contains(reg, "mm") {
				continue
			}
			if !slices.Contains(p.regs, to) {
				p.regs = append(p.regs, to)
			}
		}
		for k, s2 := range h.x.before { // other links of the same chain
			if o2, reg2 := operationOf(s2); k != i && reg2 == reg && o2.kind == o.kind {
				for _, l := range h.x.advice.Code {
					if _, to := operationOf(l.Text); l.From == k && to != "" && !slices.Contains(p.regs, to) {
						p.regs = append(p.regs, to)
					}
				}
			}
		}
		if !o.scalar {
			p.width = vectorBytes(reg)
		}
		if h.x.advice.Kind == "accumulators" && len(p.regs) < 2 || len(p.regs) == 0 || h.x.advice.Kind == "wider-vectors" && !strings.Contains(reg, "mm") {
			continue
		}
		h.sums = append(h.sums, p)
		h.fillPartial(&p)
	}
	if h.x.advice.Kind == "accumulators" && len(h.sums) == 0 {
		return "no reduction seen"
	}
	return ""
}

// fillPartial sets the lanes and registers that the original loop lacks to the identity of the operation, or to copies of the first value.
func (h *harness) fillPartial(p *partial) {
	own := slices.Clone(h.bytes(h.from, p.reg)[:p.width])
	for _, r := range p.regs {
		b := h.bytes(h.from, r)
		for at := 0; at < len(b); at += p.width {
			if h.same(r, p.reg) && at == 0 {
				continue
			}
			if strings.HasPrefix(p.op.kind, "m") {
				copy(b[at:], own)
				continue
			}
			for k := 0; k < p.width && at+k < len(b); k += p.op.bytes {
				copy(b[at+k:], p.op.identity())
			}
		}
		h.set(h.from, r, b)
	}
}

func (o operation) identity() []byte {
	b := make([]byte, 8)
	switch {
	case o.kind == "and":
		binary.LittleEndian.PutUint64(b, math.MaxUint64)
	case o.kind == "product" && o.float && o.bytes == 8:
		binary.LittleEndian.PutUint64(b, math.Float64bits(1))
	case o.kind == "product" && o.float:
		binary.LittleEndian.PutUint32(b, math.Float32bits(1))
	case o.kind == "product":
		b[0] = 1
	}
	return b[:o.bytes]
}

// broadcast repeats invariants in the lanes of wider vectors.
func (h *harness) broadcast() {
	for i, s := range h.x.before {
		for _, name := range regexp.MustCompile(`[xyz]mm\d+`).FindAllString(s, -1) {
			if h.written(name) {
				continue
			}
			n := vectorBytes(name)
			if h.x.scalar {
				n = h.x.element
			}
			b := h.bytes(h.from, name)
			for at := n; at < len(b); at += n {
				copy(b[at:], b[:n])
			}
		}
		for _, m := range h.x.effects[i].Mem {
			if m.Sym == nil || m.Index != isa.NoReg {
				continue
			}
			n := max(1, int(m.Bits/8))
			at := int(h.x.symbols[m.Sym.Sym]+uint64(m.Sym.Add)) - regionBase
			for k := n; k < 64; k += n {
				copy(h.from.mem[at+k:], h.from.mem[at:at+n])
			}
			h.apart = append(h.apart, [2]uint64{uint64(at), uint64(at + 64)})
		}
	}
}

// reciprocals replaces divisors by their reciprocals.
func (h *harness) reciprocals() {
	done := map[string]bool{}
	for _, i := range h.x.advice.Instructions {
		s := h.x.before[i]
		o, _ := operationOf(s)
		divisor := strings.Trim(strings.Split(strings.TrimSpace(s[strings.IndexAny(s, " \t"):]), ",")[0], " %")
		invert := func(b []byte) {
			for at := 0; at+o.bytes <= len(b); at += o.bytes {
				if o.bytes == 8 {
					binary.LittleEndian.PutUint64(b[at:], math.Float64bits(1/math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))))
				} else {
					binary.LittleEndian.PutUint32(b[at:], math.Float32bits(1/math.Float32frombits(binary.LittleEndian.Uint32(b[at:]))))
				}
			}
		}
		if strings.Contains(divisor, "mm") && !strings.Contains(divisor, "(") && !done[divisor] {
			done[divisor] = true
			to := divisor
			for _, l := range h.x.advice.Code { // the register of the product
				if l.From == i {
					to = strings.Trim(strings.Split(strings.TrimSpace(l.Text[strings.Index(l.Text, " "):]), ",")[0], " %")
				}
			}
			b := slices.Clone(h.bytes(h.from, divisor))
			invert(b)
			h.set(h.from, to, b)
			continue
		}
		for _, m := range h.x.effects[i].Mem {
			at := h.address(&m, i) - regionBase
			key := fmt.Sprint(at)
			if n := uint64(m.Bits / 8); !done[key] {
				done[key] = true
				invert(h.from.mem[at : at+n])
				h.apart = append(h.apart, [2]uint64{at, at + n})
			}
		}
	}
}

// address computes the address of an access of instruction i in the first iteration.
func (h *harness) address(m *isa.MemRef, i int) uint64 {
	at := uint64(m.Disp)
	if m.Sym != nil {
		at += h.x.symbols[m.Sym.Sym] + uint64(m.Sym.Add)
	}
	value := func(r isa.Reg) uint64 {
		v := h.from.gpr[number(h.x.run.set, r)]
		for k := range i {
			insts, _ := h.x.run.set.Parse(nil, h.x.before[k], "att")
			if reg, imm, ok := h.x.run.set.Rewrites.Step(&insts[0]); ok && h.x.run.set.Regs.Overlap(reg, r) {
				v += uint64(imm)
			}
		}
		return v
	}
	if number(h.x.run.set, m.Base) >= 0 {
		at += value(m.Base)
	}
	if number(h.x.run.set, m.Index) >= 0 {
		at += value(m.Index) * uint64(max(1, m.Scale))
	}
	return at
}

// pointers adds the index to the pointers that replace it.
func (h *harness) pointers() {
	done := map[int]bool{}
	for _, i := range h.x.advice.Instructions {
		for _, m := range h.x.effects[i].Mem {
			base, index := number(h.x.run.set, m.Base), number(h.x.run.set, m.Index)
			if base >= 0 && index >= 0 && !done[base] && slices.ContainsFunc(h.x.advice.Operands, func(o string) bool { return h.number(o) == base }) {
				done[base] = true
				h.from.gpr[base] += h.from.gpr[index] * uint64(max(1, m.Scale))
			}
		}
	}
}

// kept loads the values that the loop now keeps in registers, for its first iteration.
func (h *harness) kept() string {
	list := h.x.advice.Instructions
	for k := 0; k+1 < len(list); k += 2 {
		store, load := list[k], list[k+1]
		if store < load {
			continue
		}
		m := &h.x.effects[load].Mem[0]
		at, n := h.address(m, load)-regionBase, uint64(m.Bits/8)
		if at+n > uint64(len(h.from.mem)) {
			return "address"
		}
		_, to := operationOf(h.x.before[load])
		for _, l := range h.x.advice.Code {
			if l.From == load {
				to = strings.Trim(strings.Split(strings.Fields(l.Text)[1], ",")[0], "%")
			}
		}
		value := make([]byte, 64)
		copy(value, h.from.mem[at:at+n])
		if strings.Contains(to, "mm") {
			h.set(h.from, to, value)
		} else {
			h.set(h.from, to, value[:8])
		}
	}
	return ""
}

// finish compares the states after both loops.
func (h *harness) finish(from, a, b *state) (why string, err error) {
	h.combine(b)
	kind := h.x.advice.Kind
	for _, part := range h.apart {
		copy(b.mem[part[0]:part[1]], a.mem[part[0]:part[1]])
	}
	if at := h.differs(a.mem, b.mem); at >= 0 {
		return "", fmt.Errorf("memory of region %d differs at offset %d: %x, not %x", at/regionBytes, at%regionBytes, b.mem[at:at+8], a.mem[at:at+8])
	}
	equal := true
	for i, n := range gprNames {
		if a.gpr[i] == b.gpr[i] || !h.used(n) {
			continue
		}
		equal = false
		switch {
		case kind == "wider-vectors" && !h.x.bases[i] && !h.x.indices[i]:
		case kind == "addressing" && (h.x.indices[i] || slices.ContainsFunc(h.x.advice.Operands, func(o string) bool { return h.number(o) == i })):
		case kind == "reassociate" && !h.carried(n): // a temporary
		case kind == "false-dependency" && h.narrow(n, a.gpr[i]) == h.narrow(n, b.gpr[i]):
		default:
			return "", fmt.Errorf("%s is %#x, not %#x", n, b.gpr[i], a.gpr[i])
		}
	}
	for i := range a.vec {
		name := fmt.Sprintf("xmm%d", i)
		if n := h.compared(name); h.used(name) && h.differs(a.vec[i][:n], b.vec[i][:n]) >= 0 {
			return "", fmt.Errorf("vector %d is %x, not %x", i, b.vec[i][:n], a.vec[i][:n])
		}
	}
	if equal && a.cond != b.cond {
		return "", fmt.Errorf("the loop would end otherwise")
	}
	return "", nil
}

// narrow is the part of a general register that counts where a dependence on the rest is broken.
func (h *harness) narrow(name string, v uint64) uint64 {
	for _, o := range h.x.advice.Operands {
		if h.same(o, name) {
			for _, i := range h.x.advice.Instructions { // the loads into a part of it
				if _, to := operationOf(h.x.before[i]); to != "" && h.same(to, name) {
					return v & (1<<(8*generalBytes(to)) - 1)
				}
			}
		}
	}
	return v
}

// used reports whether the original loop uses a register.
func (h *harness) used(name string) bool {
	r := h.x.run.set.Regs.Spelled(name)
	for _, e := range h.x.effects {
		for _, l := range [][]isa.Access{e.Reads, e.Writes} {
			for _, a := range l {
				if h.x.run.set.Regs.Overlap(a.Reg, r) {
					return true
				}
			}
		}
	}
	return false
}

// compared returns how many bytes of a vector register count.
func (h *harness) compared(name string) int {
	kind := h.x.advice.Kind
	for _, p := range h.sums {
		if h.same(p.reg, name) {
			return p.width
		}
	}
	switch {
	case kind == "wider-vectors", kind == "reassociate" && !h.carried(name), kind == "reciprocal" && !h.written(name):
		return 0
	case kind == "false-dependency", kind == "keep-in-register", slices.Contains(h.x.advice.Assumes, "upper-lanes"):
		n := 64
		for _, s := range h.x.before {
			if o, reg := operationOf(s); o.scalar || o.float && o.kind == "" || strings.Contains(s, "s2s") || strings.Contains(s, "si2s") || strings.Contains(s, "scalef") {
				if reg != "" && strings.Contains(reg, "mm") && h.same(reg, name) {
					n = min(n, max(4, o.bytes))
				}
			}
		}
		return n
	}
	return 64
}

// combine joins the partial results of the changed loop in the original's register.
func (h *harness) combine(b *state) {
	for _, p := range h.sums {
		var sum []byte
		for _, r := range p.regs {
			v, width := h.bytes(b, r), p.width
			if h.x.advice.Kind == "wider-vectors" {
				width = vectorBytes(r)
			}
			for at := 0; at < width; at += p.width {
				if part := v[at : at+p.width]; sum == nil {
					sum = slices.Clone(part)
				} else {
					p.op.join(sum, part)
				}
			}
		}
		if p.op.bytes == 4 && !strings.Contains(p.reg, "mm") {
			sum = append(sum, 0, 0, 0, 0)
		}
		h.set(b, p.reg, sum)
	}
}

// join combines two vectors element by element.
func (o operation) join(sum, part []byte) {
	for at := 0; at+o.bytes <= len(sum); at += o.bytes {
		x, y := sum[at:at+o.bytes], part[at:at+o.bytes]
		switch {
		case o.float && o.bytes == 8:
			v := o.number(math.Float64frombits(binary.LittleEndian.Uint64(x)), math.Float64frombits(binary.LittleEndian.Uint64(y)))
			binary.LittleEndian.PutUint64(x, math.Float64bits(v))
		case o.float:
			v := o.number(float64(math.Float32frombits(binary.LittleEndian.Uint32(x))), float64(math.Float32frombits(binary.LittleEndian.Uint32(y))))
			binary.LittleEndian.PutUint32(x, math.Float32bits(float32(v)))
		default:
			o.integers(x, y)
		}
	}
}

func (o operation) number(x, y float64) float64 {
	switch o.kind {
	case "product":
		return x * y
	case "minimum":
		return math.Min(x, y)
	case "maximum":
		return math.Max(x, y)
	}
	return x + y
}

func (o operation) integers(x, y []byte) {
	get := func(b []byte) (v uint64) {
		for i := range b {
			v |= uint64(b[i]) << (8 * i)
		}
		return v
	}
	a, b := get(x), get(y)
	shift := 64 - 8*o.bytes
	less := a < b
	if o.signed {
		less = int64(a<<shift) < int64(b<<shift)
	}
	switch o.kind {
	case "sum":
		a += b
	case "product":
		a *= b
	case "and":
		a &= b
	case "or":
		a |= b
	case "xor":
		a ^= b
	case "minimum":
		if !less {
			a = b
		}
	case "maximum":
		if less {
			a = b
		}
	}
	for i := range x {
		x[i] = byte(a >> (8 * i))
	}
}

// differs returns the first place where two contents differ, -1 if none. Where rounding may differ, numbers need to agree closely only.
func (h *harness) differs(a, b []byte) int {
	const close = 1e-5
	loose := slices.ContainsFunc(h.x.advice.Assumes, func(s string) bool { return s == "reassociation" || s == "rounding" })
	near := func(x, y float64) bool {
		return x == y || x != x && y != y || math.Abs(x-y) <= close*(math.Abs(x)+math.Abs(y)+1)
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if k := i &^ 7; loose && h.x.element != 4 && k+8 <= len(a) && near(math.Float64frombits(binary.LittleEndian.Uint64(a[k:])), math.Float64frombits(binary.LittleEndian.Uint64(b[k:]))) {
			continue
		}
		if k := i &^ 3; loose && h.x.element == 4 && near(float64(math.Float32frombits(binary.LittleEndian.Uint32(a[k:]))), float64(math.Float32frombits(binary.LittleEndian.Uint32(b[k:])))) {
			continue
		}
		return i &^ 7
	}
	return -1
}

var _ report.Advice
