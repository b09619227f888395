package main

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"

	"incore/internal/blob"
	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// record is one measured instruction form of a uops.info file; see the schema beside the figures.
type record struct {
	String    string             `json:"string"`
	Uops      *float64           `json:"uops"`
	Slots     *float64           `json:"retire_slots"`
	MITE      float64            `json:"uops_mite"`
	MS        float64            `json:"uops_ms"`
	Complex   bool               `json:"complex_decoder"`
	Simple    *int               `json:"n_available_simple_decoders"`
	Ports     map[string]float64 `json:"ports"`
	Div       float64            `json:"div_cycles"`
	TP        float64            `json:"tp"`
	Operands  []operandInfo      `json:"operands"`
	Latencies []pairInfo         `json:"latencies"`
	Variants  map[string]record  `json:"variants"`
	Attrs     map[string]string  `json:"attrs"`

	// Of records of the web table:
	table bool
	Range latRange `json:"-"`
	donor string   // the core whose record completed this one
}

type operandInfo struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	RW       string   `json:"rw"`
	Implicit bool     `json:"implicit"`
	Flags    []string `json:"flags"`
	Read     []string `json:"flags_read"`
}

type pairInfo struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	Cycles float64  `json:"cycles"`
	Addr   *float64 `json:"cycles_addr"`
	Same   *float64 `json:"cycles_same_reg"`
}

// cost is a row without its forms.
type cost struct{ uops, latency, attrs, source string }

func (c cost) String() string {
	s := c.uops + " | " + c.latency
	if c.attrs != "" {
		s += " | " + c.attrs
	}
	return s
}

// rowsOf makes the rows of one record: the general one and those of its variants. cond is the
// condition under which the form is the record's instruction, "" always.
func (k *core) rowsOf(r *record, f *form, cond string) []cost {
	x := &reader{core: k, rec: r, form: f, table: x86.ISA().Forms}
	x.classify()
	if k.pipe != "" {
		if strings.HasPrefix(cond, "any(") { // high byte registers cost no more
			return nil
		}
		out := x.amdRows()
		for i := range out {
			out[i].restrict(cond)
		}
		return out
	}
	lat := x.latency()
	if r.table && lat == "=" {
		lat = x.tableLatency()
	}
	out := []cost{{uops: x.uops(r.Ports, r.Uops, r.divider()), latency: lat, attrs: x.attributes(r)}}
	if v, ok := r.Variants["same_reg"]; ok && r.eliminated() && v.Uops != nil && *v.Uops > 0 {
		// what the move costs where it is not eliminated, as with one register twice
		out = []cost{{uops: x.uops(v.Ports, v.Uops, 0), latency: fmt.Sprintf("%g", x.sameLatency()), attrs: x.attributes(&v)},
			{uops: "=", latency: "=", attrs: "move-elim when=!same(0,1)"}}
	}
	defer func() {
		for i := range out {
			out[i].restrict(cond)
			out[i].source = k.sourceOf(r)
		}
	}()
	if v, ok := r.Variants["indexed"]; ok && x.memOp >= 0 && v.Slots != nil {
		if v.Uops == nil || total(v.Ports) != *v.Uops { // not all ports were found
			v.Ports, v.Uops = r.Ports, r.Uops
		}
		c := cost{uops: x.uops(v.Ports, v.Uops, r.divider()), latency: "=", attrs: x.attributes(&v)}
		if c.uops != out[0].uops || c.attrs != out[0].attrs {
			c.attrs = strings.TrimSpace(c.attrs + fmt.Sprintf(" when=!none(%d)", x.memOp+2))
			out = append(out, c)
		}
	}
	if v, ok := r.Variants["same_reg"]; ok && v.Uops != nil {
		if i, j, ok := x.sameRegs(); ok {
			when := fmt.Sprintf("when=same(%d,%d)", i, j)
			if *v.Uops == 0 && !x.isMove() {
				out = append(out, cost{uops: "-", latency: "=", attrs: "zero-idiom " + when})
			}
		}
	}
	return out
}

// total is the number of µops on a set of ports.
func total(ports map[string]float64) (n float64) {
	for _, c := range ports {
		n += c
	}
	return n
}

// sourceOf says what the rows of a record rest on.
func (k *core) sourceOf(r *record) string {
	switch {
	case k.kinds:
		if r.Div > 0 {
			return "uops.info " + k.name + "; ports by kind of unit alone, the divider busy for the latency"
		}
		return "uops.info " + k.name + "; ports by kind of unit alone"
	case !r.table:
		return "uops.info " + k.name
	case len(r.Latencies) > 0:
		return "uops.info " + k.name + " table, latency per operand as " + r.donor
	}
	return "uops.info " + k.name + " table"
}

// restrict adds a condition to a row.
func (c *cost) restrict(cond string) {
	switch {
	case cond == "":
	case strings.Contains(c.attrs, "when="):
		c.attrs += "&" + cond
	default:
		c.attrs = strings.TrimSpace(c.attrs + " when=" + cond)
	}
}

// condition tells the records apart that are one form to the assembler: by prefix, by
// condition code, by the parts of a LEA's address.
func condition(r *record, f *form) string {
	name, _, _ := strings.Cut(r.String, " ")
	switch {
	case f.inst.Prefix&isa.PfxLock != 0:
		return "prefix(lock)"
	case f.inst.Prefix&isa.PfxRep != 0:
		return "prefix(rep)"
	case f.inst.Prefix&isa.PfxRepne != 0:
		return "prefix(repne)"
	case strings.HasPrefix(name, "LEA_"):
		return leaCondition(strings.Split(name, "_")[1:])
	}
	if strings.Contains(r.String, "R8h") {
		return "any(GR8_ABCD_H)"
	}
	t := x86.ISA().Forms
	for i := 0; i < int(f.inst.NOps); i++ {
		if c := t.OperandClass(f.inst.Form, i); c != nil && c.Name == "ccode" {
			return fmt.Sprintf("imm(%d)=%d", i, f.inst.Ops[i].Imm)
		}
	}
	return ""
}

// leaCondition is the address that a kind of LEA has, on the MC operands base 1, scale 2, index 3, displacement 4.
func leaCondition(parts []string) string {
	base, index, disp := "none(1)", "none(3)", "imm(4)=0"
	scaled := ""
	for _, p := range parts {
		switch p {
		case "B":
			base = "!none(1)&!reg(1)=RIP"
		case "R":
			return "reg(1)=RIP"
		case "I":
			index, scaled = "!none(3)", "&imm(2)=1"
		case "IS":
			index, scaled = "!none(3)", "&!imm(2)=1"
		case "D8", "D32":
			disp = "!imm(4)=0"
		}
	}
	if base == "none(1)" && index != "none(3)" { // an index alone always has a displacement of 32 bits, be it 0
		return base + "&" + index + scaled
	}
	return base + "&" + index + scaled + "&" + disp
}

// reader interprets one record by the form that it was found to be.
type reader struct {
	core   *core
	rec    *record
	form   *form
	table  *isa.FormTable
	memOp  int            // first MC operand of the memory operand, -1 none
	source map[string]ref // the record's operand name → MC operands
	reads  bool           // memory is read, written
	writes bool
	ld     float64
}

// ref is what an operand of the record is among the MC operands.
type ref struct {
	use, def string // as row syntax has them: "1", "i0", "m"; "" if it isn't there
}

// classify maps the record's operands to MC operands: registers by the register that stands for
// them, flags to EFLAGS among the implicit operands, memory to m.
func (x *reader) classify() {
	f := x.form.inst.Form
	x.memOp, x.source = x.table.MemOp(f), map[string]ref{}
	explicit, uses, defs := 0, 0, 0
	for _, o := range x.rec.Operands {
		switch {
		case o.Type == "mem":
			x.source[o.Name] = ref{"m", "m"}
			x.reads = x.reads || strings.Contains(o.RW, "r")
			x.writes = x.writes || strings.Contains(o.RW, "w")
			explicit++
		case o.Type == "agen": // a computed address, LEA's source
			x.source[o.Name] = ref{"a", ""}
			explicit++
		case o.Type == "flags":
			r := ref{x.flags(x.table.ImplicitUses(f)), x.flags(x.table.ImplicitDefs(f))}
			if r.use == "" && len(o.Read) > 0 {
				r.use = addedOperand
			}
			x.source[o.Name] = r
		case o.Type == "reg" && !o.Implicit && explicit < len(x.form.regs):
			if reg := x.form.regs[explicit]; reg != isa.NoReg {
				x.source[o.Name] = x.operands(reg)
			}
			explicit++
		case o.Type == "reg": // implicit registers come in the same order in both: rax before rdx
			var r ref
			if strings.Contains(o.RW, "r") {
				r.use = x.next(x.table.ImplicitUses(f), &uses)
			}
			if strings.Contains(o.RW, "w") {
				r.def = x.next(x.table.ImplicitDefs(f), &defs)
			}
			x.source[o.Name] = r
		default:
			explicit++
		}
	}
	x.ld = x.loadLatency()
}

// addedOperand stands for what an instruction reads beyond LLVM's lists, as shifts by a variable count the flags (x86's extraOp).
const addedOperand = "i31"

// operands finds a register among the MC operands.
func (x *reader) operands(reg isa.Reg) (r ref) {
	in := &x.form.inst
	defs := x.table.NumDefs(in.Form)
	for i := 0; i < int(in.NOps); i++ {
		if in.Ops[i].Kind != isa.OpReg || in.Ops[i].Reg != reg {
			continue
		}
		if i < defs {
			r.def = fmt.Sprint(i)
		} else if r.use == "" {
			r.use = fmt.Sprint(i)
		}
	}
	return r
}

// flags is the place of the flags among implicit operands.
func (x *reader) flags(l blob.U16) string {
	for i := 0; i < l.Len(); i++ {
		if x86.ISA().Regs.Name(isa.Reg(l.At(i))) == "EFLAGS" {
			return fmt.Sprintf("i%d", i)
		}
	}
	return ""
}

// next is the next implicit operand that is neither flags nor a control register.
func (x *reader) next(l blob.U16, at *int) string {
	for *at < l.Len() {
		i := *at
		*at++
		switch x86.ISA().Regs.Name(isa.Reg(l.At(i))) {
		case "EFLAGS", "MXCSR", "FPCW", "FPSW", "DF", "SSP":
			continue
		}
		return fmt.Sprintf("i%d", i)
	}
	return ""
}

// loadLatency is the load's part: by the kind and width of what the load goes to.
func (x *reader) loadLatency() float64 {
	if !x.reads {
		return 0
	}
	width := 0
	for _, r := range x.form.regs {
		n := x86.ISA().Regs.Name(r)
		switch {
		case strings.HasPrefix(n, "XMM"), strings.HasPrefix(n, "MM"):
			width = max(width, 1)
		case strings.HasPrefix(n, "YMM"):
			width = max(width, 2)
		case strings.HasPrefix(n, "ZMM"):
			width = max(width, 3)
		}
	}
	if width == 0 {
		return x.core.gprLoad
	}
	return x.core.vecLoad[width-1]
}

// maxCount is the largest believable number of µops on a set of ports.
const maxCount = 200

func contains(l []string, s string) bool {
	for _, e := range l {
		if e == s {
			return true
		}
	}
	return false
}

// uops writes the µops field; "=" where the file doesn't know the ports.
func (x *reader) uops(ports map[string]float64, total *float64, div float64) string {
	if len(ports) == 0 {
		if total != nil && *total == 0 && len(x.core.load) > 0 {
			return "-"
		}
		return "="
	}
	keys := make([]string, 0, len(ports))
	if x.vector() && ports["UNKNOWN"] > 0 {
		ports = maps.Clone(ports)
		ports[vectorUnit] = ports["UNKNOWN"]
		delete(ports, "UNKNOWN")
	}
	for k, n := range ports {
		if n > maxCount { // a repeated string instruction, whose count is the measurement's
			return "="
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []string
	loadSeen := false
	for _, k := range keys {
		n := ports[k]
		kind := ""
		switch {
		case contains(x.core.std, k) && x.writes:
			kind = "/std"
		case contains(x.core.sta, k) && x.writes && !(x.reads && contains(x.core.load, k) && !loadSeen):
			kind = "/sta"
		case contains(x.core.load, k) && x.reads:
			kind, loadSeen = "/load", true
		}
		if kind == "/load" && x.writes && n == 2 { // indexed read-modify-write: load and store address on the same ports
			out = append(out, x.core.join(k, 1)+"/load", x.core.join(k, 1)+"/sta")
			continue
		}
		out = append(out, x.core.join(k, n)+kind)
	}
	if div > 0 && x.core.divider != "" {
		out = append(out, fmt.Sprintf("%s:%g", x.core.divider, div))
	}
	if x.serial() {
		out = append(out, fmt.Sprintf("SERIAL:%g", x.rec.TP))
	}
	return strings.Join(out, " ")
}

// vector reports whether an instruction has a vector register.
func (x *reader) vector() bool {
	for _, o := range []string{"XMM", "YMM", "ZMM", "MM"} {
		if strings.Contains(x.rec.String, o) {
			return true
		}
	}
	return false
}

// movesRE matches the instructions that load or store and do nothing else.
var movesRE = regexp.MustCompile(`^(V?MOV[^_ ]*|V?LDDQU|POP|PUSH|V?BROADCAST[^_ ]*|VPBROADCAST[^_ ]*)[_ ]`)

// unitsByKind gives a record whose ports are not known µops on the units of their kind: one to load, two to store, the counted ones
// to compute. The count is of what is dispatched, too.
func (r *record) unitsByKind() {
	r.Ports, r.Slots = map[string]float64{}, r.Uops
	if r.takesNoTime() && movesRE.MatchString(r.String) && r.Uops != nil { // a register move that is done at rename
		r.Uops = new(float64)
		return
	}
	for _, o := range r.Operands {
		if o.Type != "mem" {
			continue
		}
		if strings.Contains(o.RW, "r") {
			r.Ports["LD"]++
		}
		if strings.Contains(o.RW, "w") {
			r.Ports["STA"], r.Ports["STD"] = 1, 1
		}
	}
	if r.Uops != nil && *r.Uops > 0 && !(len(r.Ports) > 0 && *r.Uops == 1 && movesRE.MatchString(r.String)) {
		r.Ports["UNKNOWN"] = *r.Uops
	}
	if r.Div == 0 && dividesRE.MatchString(r.String) { // how soon one follows another isn't published: as if nothing overlapped
		r.Div = r.quickest()
	}
	for n, v := range r.Variants {
		if v.Uops != nil && *v.Uops > 0 {
			v.Ports, v.Slots = r.Ports, v.Uops
		}
		r.Variants[n] = v
	}
}

// quickest is the shortest latency between registers, 0 if none is known.
func (r *record) quickest() float64 {
	best := math.Inf(1)
	for _, l := range r.Latencies {
		if l.Addr == nil && l.Cycles > 0 {
			best = min(best, l.Cycles)
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// takesNoTime reports whether all latencies are between registers, and 0.
func (r *record) takesNoTime() bool {
	for _, l := range r.Latencies {
		if l.Cycles > 0 || l.Addr != nil {
			return false
		}
	}
	return len(r.Latencies) > 0
}

// minSerial is the reciprocal throughput from which on an instruction of the kinds below counts as holding up others.
const minSerial = 4

// serial reports whether instances of a locked instruction, or of one with side effects, follow each other more slowly than their
// µops explain.
func (x *reader) serial() bool {
	f := &x.form.inst
	locked := f.Prefix&isa.PfxLock != 0 || strings.HasPrefix(x.rec.String, "XCHG") && x.reads && x.writes
	if x.rec.TP < minSerial || !locked && x.table.Flags(f.Form)&isa.SideEffects == 0 || f.Prefix&(isa.PfxRep|isa.PfxRepne) != 0 {
		return false
	}
	fullest := 0.0
	for p, n := range x.rec.Ports {
		fullest = max(fullest, n/float64(len(p)))
	}
	return x.rec.TP > 1.5*fullest
}

// join writes a port set with its count: "2*0+1".
func (k *core) join(ports string, n float64) string {
	s := strings.Join(strings.Split(ports, ""), "+")
	if k.ports != nil {
		s = k.ports(ports)
	}
	if n == 1 {
		return s
	}
	return fmt.Sprintf("%g*%s", n, s)
}

// latency writes the latency field: the slowest result first, then the pairs that differ.
func (x *reader) latency() string {
	type pair struct {
		from, to string
		cycles   float64
	}
	var pairs []pair
	unread := ""
	top, merged := 0.0, map[string]float64{} // slowest pair of all, and of each result
	add := func(from, to string, c float64) {
		if from == "" || to == "" {
			return
		}
		for i := range pairs {
			if pairs[i].from == from && pairs[i].to == to {
				pairs[i].cycles = max(pairs[i].cycles, c)
				merged[to] = max(merged[to], c)
				top = max(top, c)
				return
			}
		}
		pairs = append(pairs, pair{from, to, c})
		merged[to] = max(merged[to], c)
		top = max(top, c)
	}
	regMax := map[string]float64{} // slowest register operand → each result
	for _, l := range x.rec.Latencies {
		if to := x.source[l.To].def; to != "" && x.source[l.From].use != "m" {
			regMax[to] = max(regMax[to], l.Cycles)
		}
	}
	for _, l := range x.rec.Latencies {
		from, to := x.source[l.From], x.source[l.To]
		switch {
		case from.use == "m" && to.def == "m":
		case to.def == "m":
			// what a plain store of a register takes is part of forwarding (store-forward)
			add(from.use, "m", max(0, l.Cycles-x.core.store))
		case from.use == "a":
			if l.Addr != nil {
				add("a", to.def, *l.Addr)
			}
		case from.use == "m":
			if l.Addr == nil || !x.reads {
				continue
			}
			exec := max(0, *l.Addr-x.ld)
			if r, ok := regMax[to.def]; ok && r < exec {
				exec = r
			}
			exec = min(exec, x.registerLatency())
			if x.pureLoad() { // the rest is the transfer that the measured chain needed
				exec = 0
			}
			add("m", to.def, exec)
			add("a", to.def, x.ld+exec)
		case l.Cycles == 0 && x.isFlags(l.From) && !x.isFlags(l.To):
			unread = from.use // flags that pass through unchanged if the count is 0: no result waits for them
		default:
			add(from.use, to.def, l.Cycles)
		}
	}
	if unread != "" {
		pairs = slices.DeleteFunc(pairs, func(p pair) bool { return p.from == unread })
	}
	if len(pairs) == 0 {
		return "="
	}
	out := []string{fmt.Sprintf("%g", top)}
	if c, ok := merged[x.merges()]; ok && c < top {
		out = append(out, fmt.Sprintf("0>0:%g", c))
	}
	for _, p := range pairs {
		if p.cycles != top || p.from == "m" || p.to == "m" {
			out = append(out, fmt.Sprintf("%s>%s:%g", p.from, p.to, p.cycles))
		}
	}
	if unread != "" {
		for _, to := range slices.Sorted(maps.Keys(merged)) {
			out = append(out, fmt.Sprintf("%s>%s:-", unread, to))
		}
	}
	return strings.Join(out, " ")
}

// registerLatency is the slowest pair of the form with a register in the memory operand's place: the latency from memory is measured
// with a transfer between register files, and but an upper bound.
func (x *reader) registerLatency() float64 {
	s := x.core.siblings[registerForm(x.rec.String)]
	if s == nil || len(s.Latencies) == 0 {
		return math.Inf(1)
	}
	top := 0.0
	for _, l := range s.Latencies {
		top = max(top, l.Cycles)
	}
	return top
}

// isFlags reports whether an operand of the record is the flags.
func (x *reader) isFlags(name string) bool {
	for _, o := range x.rec.Operands {
		if o.Name == name {
			return o.Type == "flags"
		}
	}
	return false
}

// merges is the result that keeps a part of the register's old value: "0" where the first definition is narrower than 32 bits.
func (x *reader) merges() string {
	if x.table.NumDefs(x.form.inst.Form) == 0 || x.form.inst.NOps == 0 || x.form.inst.Ops[0].Kind != isa.OpReg {
		return "none"
	}
	switch n := x86.ISA().Regs.Name(x.form.inst.Ops[0].Reg); {
	case strings.HasSuffix(n, "B"), strings.HasSuffix(n, "W"), len(n) == 2 && strings.ContainsAny(n[1:], "LXH"):
		return "0"
	}
	return "none"
}

// pureLoad reports whether a load is all that the form does.
func (x *reader) pureLoad() bool {
	for p := range x.rec.Ports {
		if !contains(x.core.load, p) {
			return false
		}
	}
	return x.reads && !x.writes && len(x.rec.Ports) > 0
}

func (x *reader) attributes(r *record) string {
	var out []string
	if x.reads && x.ld > 0 {
		out = append(out, fmt.Sprintf("ld=%g", x.ld))
	}
	if r.Uops != nil {
		out = append(out, fmt.Sprintf("uops=%g", *r.Uops))
	}
	if r.Slots != nil {
		out = append(out, fmt.Sprintf("slots=%g", *r.Slots))
	}
	if r.Slots != nil && r.MITE > 0 && r.MS == 0 && r.MITE != *r.Slots { // un-laminated behind the decoders
		out = append(out, fmt.Sprintf("decode=%g", r.MITE))
	}
	if r.Complex && r.MITE == 1 && r.MS == 0 {
		out = append(out, "complex")
	}
	return strings.Join(out, " ")
}

// divider is how long the divider is busy: as measured, or longer where whole instructions follow each other more slowly.
func (r *record) divider() float64 {
	if r.Div == 0 {
		return 0
	}
	return max(r.Div, math.Floor(r.TP))
}

// eliminated reports whether a record is a register move that took no µop.
func (r *record) eliminated() bool {
	return r.Uops != nil && *r.Uops == 0 && len(r.Ports) == 0 && strings.HasPrefix(strings.TrimPrefix(r.String, "V"), "MOV")
}

// sameLatency is the latency of a move of a register to itself, which no core eliminates.
func (x *reader) sameLatency() float64 {
	for _, l := range x.rec.Latencies {
		if l.Same != nil {
			return *l.Same
		}
	}
	return 1
}

// isMove reports whether the form copies a register.
func (x *reader) isMove() bool {
	_, _, ok := x86.ISA().RegMove(&x.form.inst)
	return ok
}

// sameRegs returns the two MC operands that are equal in the same-register variant.
func (x *reader) sameRegs() (i, j int, ok bool) {
	in := &x.form.inst
	var uses []int
	for k := x.table.NumDefs(in.Form); k < int(in.NOps); k++ {
		if in.Ops[k].Kind == isa.OpReg && in.Ops[k].Reg != isa.NoReg {
			uses = append(uses, k)
		}
	}
	if len(uses) < 2 {
		return 0, 0, false
	}
	return uses[len(uses)-2], uses[len(uses)-1], true
}
