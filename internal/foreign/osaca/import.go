package osaca

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/yamlfile"
	"incore/internal/isa"
	"incore/internal/report"
)

// source is a machine model file of OSACA, as far as it is imported.
type source struct {
	Name    string              `yaml:"micro_architecture"`
	Code    string              `yaml:"arch_code"`
	ISA     string              `yaml:"isa"`
	ROB     float64             `yaml:"ROB_size"`
	Ports   []any               `yaml:"ports"`
	Loads   map[string]*float64 `yaml:"load_latency"` // by kind of register; nil: not known
	Load    []transfer          `yaml:"load_throughput"`
	Store   []transfer          `yaml:"store_throughput"`
	AnyLoad pressure            `yaml:"load_throughput_default"`
	AnyStor pressure            `yaml:"store_throughput_default"`
	Forward *float64            `yaml:"store_to_load_forward_latency"`
	Forms   []*sourceForm       `yaml:"instruction_forms"`
}

// transfer is the use of ports by the loads or stores of some addresses.
type transfer struct {
	Base, Index any
	Dst, Src    string
	Pressure    [][]any `yaml:"port_pressure"`
}

// sourceForm is an entry.
type sourceForm struct {
	Name       any              `yaml:"name"`
	Operands   []map[string]any `yaml:"operands"`
	Latency    *float64         `yaml:"latency"`
	Throughput *float64         `yaml:"throughput"`
	Pressure   pressure         `yaml:"port_pressure"`
	names      []string
	used       bool
}

// Imported tells what of a file has no counterpart.
type Imported struct {
	Forms   int      // forms of incore that have a row
	Entries int      // entries of the file
	Unused  []string // entries that no form of incore has
	Left    []string // parts of the file that are not imported
	Merged  int      // forms whose samples have entries with other figures; the first counts
}

// Text says what of the file has a counterpart, with the first few entries that have none, all if few is 0.
func (t *Imported) Text(w io.Writer, few int) error {
	var b strings.Builder
	used := t.Entries - len(t.Unused)
	fmt.Fprintf(&b, "incore: %s from %d of %s", report.Counted(t.Forms, "form"), used, report.Counted(t.Entries, "entry"))
	if t.Merged > 0 {
		fmt.Fprintf(&b, "; of %s the first of several entries counts", report.Counted(t.Merged, "form"))
	}
	b.WriteString("\n")
	list := t.Unused
	if few > 0 && len(list) > few {
		list = list[:few]
	}
	for _, s := range list {
		fmt.Fprintf(&b, "no counterpart: %s\n", s)
	}
	if n := len(t.Unused) - len(list); n > 0 {
		fmt.Fprintf(&b, "… and %d more (--all lists them)\n", n)
	}
	for _, s := range t.Left {
		fmt.Fprintf(&b, "not imported: %s\n", s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pressure is the use of ports: pairs of cycles and ports. Some files have a single pair, or alternatives by number, of which the first counts.
type pressure [][]any

// UnmarshalYAML reads any of these forms. What is none is left for importer.valid, which names the entry.
func (p *pressure) UnmarshalYAML(read func(any) error) error {
	var v any
	if err := read(&v); err != nil {
		return err
	}
	if m, ok := v.(map[string]any); ok {
		v = m["0"]
	} else if m, ok := v.(map[any]any); ok {
		for k, x := range m {
			if fmt.Sprint(k) == "0" {
				v = x
			}
		}
	}
	list, _ := v.([]any)
	if len(list) == 2 {
		if _, pair := list[0].([]any); !pair {
			list = []any{list}
		}
	}
	*p = nil
	for _, x := range list {
		pair, ok := x.([]any)
		if !ok {
			pair = []any{x}
		}
		*p = append(*p, pair)
	}
	return nil
}

// importer makes a model of a file.
type importer struct {
	exporter
	file   *source
	byName map[string][]*sourceForm
	ports  map[string]string // OSACA's name → the model's
	report Imported
	rows   map[string][]string // µops, latency and attributes → forms
	order  []string
	have   map[isa.FormID]bool // forms with a row
	when   []string            // rows with conditions, which follow
	lacks  map[string]bool     // what the file does not tell of loads and stores that forms need
}

// Import reads a machine model file of OSACA and writes it as a model. Forms get the entry that OSACA would look up for their text; on x86 a form with a memory operand that
// has none is made of its register form and a load or store, as OSACA does.
func Import(w io.Writer, name string, text []byte, sets []*isa.ISA, as string) (*Imported, error) {
	x := &importer{file: &source{}, byName: map[string][]*sourceForm{}, ports: map[string]string{}, rows: map[string][]string{}, have: map[isa.FormID]bool{}, lacks: map[string]bool{}}
	if err := yamlfile.Read(name, text, x.file, false); err != nil {
		return nil, err
	}
	if err := x.begin(name, sets); err != nil {
		return nil, err
	}
	for f := isa.FormID(1); int(f) < x.set.Forms.Len(); f++ {
		if x.set.Forms.Flags(f)&isa.Pseudo == 0 && !strings.HasSuffix(x.set.Forms.Name(f), "_PREFIX") {
			x.row(f)
		}
	}
	x.spelled()
	if x.report.Forms == 0 {
		return nil, fmt.Errorf("%s: no entry is a form of %s", name, x.set.Name)
	}
	for _, e := range x.file.Forms {
		if !e.used {
			x.report.Unused = append(x.report.Unused, e.text())
		}
	}
	x.left()
	return &x.report, x.writeModel(w, as)
}

// begin checks the file and indexes its entries.
func (x *importer) begin(name string, sets []*isa.ISA) error {
	f := x.file
	if len(f.Forms) == 0 || len(f.Ports) == 0 {
		return fmt.Errorf("%s: is no machine model of OSACA: it has no ports or no instruction_forms", name)
	}
	for _, s := range sets {
		if d := dialects[s.Name]; d != nil && strings.EqualFold(d.isa, f.ISA) {
			x.set, x.dialect = s, d
		}
	}
	if x.set == nil {
		return fmt.Errorf("%s: isa %q: x86 and aarch64 can be imported", name, f.ISA)
	}
	const most = 64
	if len(f.Ports) > most {
		return fmt.Errorf("%s: %d ports; a model has at most %d", name, len(f.Ports), most)
	}
	for _, p := range f.Ports {
		s := fmt.Sprint(p)
		x.ports[s] = "P" + s
	}
	x.report.Entries = len(f.Forms)
	for _, e := range f.Forms {
		if e == nil {
			return fmt.Errorf("%s: an empty entry of instruction_forms", name)
		}
		switch n := e.Name.(type) {
		case []any:
			for _, one := range n {
				e.names = append(e.names, strings.ToLower(fmt.Sprint(one)))
			}
		default:
			e.names = []string{strings.ToLower(fmt.Sprint(n))}
		}
		if err := x.valid(e.Pressure); err != nil {
			e.used = true
			x.report.Left = append(x.report.Left, e.text()+": "+err.Error())
			continue
		}
		for _, n := range e.names {
			x.byName[n] = append(x.byName[n], e)
		}
	}
	lists := []pressure{f.AnyLoad, f.AnyStor}
	for _, t := range append(slices.Clone(f.Load), f.Store...) {
		lists = append(lists, t.Pressure)
	}
	for _, l := range lists {
		if err := x.valid(l); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// valid returns the first mistake of a use of ports.
func (x *importer) valid(list pressure) error {
	for _, p := range list {
		if _, _, err := x.pressureOf(p); err != nil {
			return err
		}
	}
	return nil
}

// text describes an entry.
func (e *sourceForm) text() string {
	var ops []string
	for _, o := range e.Operands {
		s := fmt.Sprint(o["class"])
		for _, k := range []string{"name", "prefix", "shape"} {
			if v, ok := o[k]; ok {
				s += " " + fmt.Sprint(v)
			}
		}
		ops = append(ops, s)
	}
	return strings.TrimSpace(strings.Join(e.names, "/") + " " + strings.Join(ops, ", "))
}

// maxBusy is the number of cycles that a model's µop may keep a port busy.
const maxBusy = 65535

// pressureOf reads the use of ports: cycles, and the ports over which they are spread.
func (x *importer) pressureOf(p []any) (cycles float64, ports []string, err error) {
	if len(p) != 2 {
		return 0, nil, fmt.Errorf("port_pressure %v: cycles and ports are expected", p)
	}
	if cycles, err = strconv.ParseFloat(fmt.Sprint(p[0]), 64); err != nil || !(cycles >= 0 && cycles <= maxBusy) {
		return 0, nil, fmt.Errorf("port_pressure %v: no number of cycles up to %d", p, maxBusy)
	}
	var names []string
	switch v := p[1].(type) {
	case []any:
		for _, n := range v {
			names = append(names, fmt.Sprint(n))
		}
	default:
		for _, c := range fmt.Sprint(v) {
			names = append(names, string(c))
		}
	}
	for i := 0; i < len(names); i++ {
		n := names[i]
		if x.ports[n] == "" && len(n) > 1 { // a list whose only element is a word of ports
			for _, c := range n {
				if names = append(names, string(c)); x.ports[string(c)] == "" {
					return 0, nil, fmt.Errorf("port_pressure %v: no port %q", p, n)
				}
			}
			continue
		}
		if x.ports[n] == "" {
			return 0, nil, fmt.Errorf("port_pressure %v: no port %q", p, n)
		}
		ports = append(ports, x.ports[n])
	}
	if len(ports) == 0 {
		return 0, nil, errors.New("port_pressure without ports")
	}
	return cycles, ports, nil
}

// figures are what the model has of a form.
type figures struct {
	pressure pressure
	latency  float64 // NaN: not known
	load     float64 // the load's part; NaN: the default
}

// row adds the row of a form.
func (x *importer) row(f isa.FormID) {
	first, indexed := "", "" // an address with an index may have other ports
	for in := range isa.Samples(x.set, f) {
		text := plainText(string(x.set.Print(nil, &in, x.set.Syntaxes[0])))
		e, ok := x.parse(text)
		if !ok || e.shifted || !sameForm(x.set, &in, text) {
			continue
		}
		g, ok := x.lookup(e)
		if !ok {
			continue
		}
		row := x.rowText(g)
		with := x.dialect.isa == "x86" && slices.ContainsFunc(e.operands, func(o operand) bool { return slices.Contains(o.attrs, "index: '*'") })
		to := &first
		if with {
			to = &indexed
		}
		if *to == "" {
			*to = row
		} else if row != *to {
			x.report.Merged++
		}
	}
	if first == "" {
		first, indexed = indexed, ""
	}
	if first == "" {
		return
	}
	x.add(f, first)
	if m := x.set.Forms.MemOp(f); indexed != "" && indexed != first && m >= 0 {
		const index = 2 // of the operands of an address
		if strings.Count(indexed, "|") < 2 {
			indexed += " |"
		}
		x.when = append(x.when, fmt.Sprintf("%s | %s when=!none(%d)", x.set.Forms.Name(f), indexed, m+index))
	}
}

// add adds a form to a row.
func (x *importer) add(f isa.FormID, row string) {
	if x.rows[row] == nil {
		x.order = append(x.order, row)
	}
	x.rows[row] = append(x.rows[row], x.set.Forms.Name(f))
	x.have[f] = true
	x.report.Forms++
}

// rowText writes µops, latency and attributes.
func (x *importer) rowText(g figures) string {
	var uops []string
	for _, p := range g.pressure {
		cycles, ports, _ := x.pressureOf(p)
		set := strings.Join(ports, "+")
		switch n := int(cycles); {
		case cycles == 0:
		case cycles == 1:
			uops = append(uops, set)
		case float64(n) == cycles && n <= 16 && len(ports) > 1:
			uops = append(uops, fmt.Sprintf("%d*%s", n, set))
		default:
			uops = append(uops, set+":"+plain(cycles))
		}
	}
	if len(uops) == 0 {
		uops = []string{"-"}
	}
	latency := "?"
	if !math.IsNaN(g.latency) {
		latency = plain(g.latency)
	}
	s := strings.Join(uops, " ") + " | " + latency
	if !math.IsNaN(g.load) {
		s += " | ld=" + plain(g.load)
	}
	return s
}

// lookup finds the figures of an instruction as OSACA does.
func (x *importer) lookup(e *entry) (figures, bool) {
	if s := x.find(e); s != nil {
		g := figures{pressure: s.Pressure, latency: math.NaN(), load: math.NaN()}
		if s.Latency != nil {
			g.latency = *s.Latency
		}
		if m := memoryAt(e); m >= 0 && len(e.operands) > 1 && m < len(e.operands)-1 && !x.plainLoad(e) {
			g.load = 0 // the entry's latency holds from all operands
		}
		return g, true
	}
	if x.dialect.split {
		return x.composed(e)
	}
	return figures{}, false
}

// plainLoad reports whether an instruction only loads.
func (x *importer) plainLoad(e *entry) bool {
	return len(e.operands) == 2 && e.operands[0].class == "memory"
}

func memoryAt(e *entry) int {
	return slices.IndexFunc(e.operands, func(o operand) bool { return o.class == "memory" })
}

// composed makes a form with a memory operand of its register form and a load, a store, or both. In place of the memory operand it takes a register of the kind of the others
// or, as in conversions and broadcasts, of any kind, as OSACA does always (which so takes a movq from memory for one from a vector), with the load's or store's figures of that kind.
func (x *importer) composed(e *entry) (figures, bool) {
	m := memoryAt(e)
	if m < 0 {
		return figures{}, false
	}
	reg := *e
	reg.operands = slices.Clone(e.operands)
	class := "gpr"
	if i := slices.IndexFunc(e.operands, func(o operand) bool { return o.class == "register" && len(o.attrs) > 0 }); i >= 0 {
		class = strings.TrimPrefix(e.operands[i].attrs[0], "name: ")
	}
	reg.operands[m] = operand{"register", []string{"name: " + class}}
	s := x.find(&reg)
	if s == nil {
		reg.operands[m] = operand{"register", []string{"name: '*'"}}
		if s = x.find(&reg); s == nil {
			return figures{}, false
		}
		class = registerKind(fmt.Sprint(s.Operands[m]["name"]))
	}
	g := figures{pressure: slices.Clone(s.Pressure), latency: math.NaN(), load: math.NaN()}
	if s.Latency != nil {
		g.latency = *s.Latency
	}
	last := len(e.operands) - 1
	store := m == last && last > 0 || last == 0
	if store {
		p, ok := x.transfers(x.file.Store, e.operands[m], class, x.file.AnyStor)
		if !ok {
			x.lacks["stores without ports: store_throughput_default has none"] = true
			return figures{}, false
		}
		g.pressure = append(g.pressure, p...)
	}
	if !store || x.readsMemory(e) {
		p, ok := x.transfers(x.file.Load, e.operands[m], class, x.file.AnyLoad)
		if !ok {
			x.lacks["loads without ports: load_throughput_default has none"] = true
			return figures{}, false
		}
		g.pressure = append(g.pressure, p...)
		if l := x.file.Loads[class]; l != nil {
			g.latency += *l
			g.load = *l
		} else {
			x.lacks[fmt.Sprintf("the latency of forms that load and have registers of %s: load_latency has none", class)] = true
			g.latency = math.NaN()
		}
	}
	return g, true
}

// registerKind is the kind of a register: "gpr", or that of a vector.
func registerKind(name string) string {
	switch name = strings.TrimRight(name, "0123456789"); name {
	case "mm", "xmm", "ymm", "zmm":
		return name
	}
	return "gpr"
}

// readsMemory reports whether an instruction that writes memory reads it too, by its effects.
func (x *importer) readsMemory(e *entry) bool {
	insts, err := x.set.Parse(nil, e.sample, x.set.Syntaxes[0])
	if err != nil || len(insts) == 0 {
		return false
	}
	var effects isa.Effects
	x.set.Effects(&insts[0], &effects)
	return slices.ContainsFunc(effects.Mem, func(m isa.MemRef) bool { return m.Load })
}

// transfers returns the use of ports of a load or store; false if the file does not tell it.
func (x *importer) transfers(list []transfer, mem operand, class string, otherwise pressure) (pressure, bool) {
	indexed := slices.Contains(mem.attrs, "index: '*'")
	for _, t := range list {
		if name := t.Dst + t.Src; name != "" && name != class {
			continue
		}
		if i := fmt.Sprint(t.Index); t.Index == nil && indexed || t.Index != nil && i != "*" && !indexed {
			continue
		}
		return t.Pressure, true
	}
	return otherwise, len(otherwise) > 0
}

// find returns the entry of an instruction, nil if there is none.
func (x *importer) find(e *entry) *sourceForm {
	names := []string{e.name}
	if x.dialect.isa == "x86" && len(e.name) > 1 && strings.ContainsRune(attSuffixes, rune(e.name[len(e.name)-1])) {
		names = append(names, e.name[:len(e.name)-1])
	}
	if x.dialect.isa == "aarch64" && strings.Contains(e.name, ".") {
		head, _, _ := strings.Cut(e.name, ".")
		names = append(names, head)
	}
	for _, n := range names {
		for _, s := range x.byName[n] {
			if matches(s.Operands, e.operands) {
				s.used = true
				return s
			}
		}
	}
	return nil
}

// matches compares the operands of an entry with those of an instruction.
func matches(have []map[string]any, want []operand) bool {
	if len(have) != len(want) {
		return false
	}
	for i := range have {
		if !matchesOne(have[i], want[i]) {
			return false
		}
	}
	return true
}

func matchesOne(have map[string]any, want operand) bool {
	if fmt.Sprint(have["class"]) != want.class {
		return false
	}
	for _, attr := range want.attrs {
		key, value, _ := strings.Cut(attr, ": ")
		v, ok := have[key]
		s := strings.TrimSpace(fmt.Sprint(v))
		switch {
		case ok && s == "*", value == "'*'" && key != "index":
		case key == "offset", key == "scale", key == "base", key == "imd":
		case key == "index":
			if indexed := value != "~"; indexed != (ok && v != nil) {
				return false
			}
		case key == "pre_indexed" || key == "post_indexed":
			if ok && s != "*" && s != value || !ok && value == "true" {
				return false
			}
		case key == "name":
			if n := strings.TrimRight(s, "0123456789"); n != value && s != value && !(value == "gpr" && n != "xmm" && n != "ymm" && n != "zmm" && n != "mm" && n != "k" && n != "st") {
				return false
			}
		case key == "shape", key == "predication":
			if ok && s != value || !ok && key == "shape" {
				return false
			}
		default:
			if ok && s != value {
				return false
			}
		}
	}
	_, shaped := have["shape"]
	return want.class != "register" || !shaped || fmt.Sprint(have["shape"]) == "*" || slices.ContainsFunc(want.attrs, func(a string) bool { return strings.HasPrefix(a, "shape: ") })
}

// left notes what of the file is not imported.
func (x *importer) left() {
	x.report.Left = append(x.report.Left, "dispatched_uops_per_cycle, retired_uOps_per_cycle, scheduler_size: OSACA does not use them for its figures", "throughput of entries: it follows from the ports", "hidden_loads, zero-latency moves by register names")
	x.report.Left = append(x.report.Left, slices.Sorted(maps.Keys(x.lacks))...)
}

// writeModel writes the model.
func (x *importer) writeModel(w io.Writer, as string) error {
	var b strings.Builder
	f := x.file
	fmt.Fprintf(&b, "name: %s\ntitle: %s (imported from OSACA)\nisa: %s\n", as, oneLine(f.Name), x.set.Name)
	var ports, units []string
	for _, p := range f.Ports {
		s := fmt.Sprint(p)
		if strings.HasSuffix(s, "DV") {
			units = append(units, x.ports[s])
		} else {
			ports = append(ports, x.ports[s])
		}
	}
	fmt.Fprintf(&b, "ports: %s\n", strings.Join(ports, " "))
	if len(units) > 0 {
		fmt.Fprintf(&b, "resources: %s\n", strings.Join(units, " "))
	}
	b.WriteString("note: The model has no dispatch width and no front end, which OSACA's figures do not count.\n")
	const from = "OSACA's machine file"
	if f.ROB > 0 {
		fmt.Fprintf(&b, "param rob: %s  # %s\n", plain(f.ROB), from)
	}
	if l := f.Loads["gpr"]; l != nil && *l > 0 {
		fmt.Fprintf(&b, "param load-latency: %s  # %s\n", plain(*l), from)
	}
	if v := x.throughMemory(); v > 0 {
		fmt.Fprintf(&b, "param store-forward: %s  # %s\n", plain(v), from)
	}
	fmt.Fprintf(&b, "\nsource: OSACA, %s\n", oneLine(f.Code))
	for _, row := range x.order {
		forms := x.rows[row]
		const perLine = 8
		for i := 0; i < len(forms); i += perLine {
			fmt.Fprintf(&b, "%s | %s\n", strings.Join(forms[i:min(i+perLine, len(forms))], " "), row)
		}
	}
	for _, row := range x.when {
		b.WriteString(row + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// throughMemory is the model's store-forward: what OSACA counts from a stored vector to the end of its load. 0 if the file does not say.
func (x *importer) throughMemory() float64 {
	if x.file.Forward == nil {
		return 0
	}
	all := *x.file.Forward
	for _, text := range x.dialect.inPlace {
		e, ok := x.parse(text)
		if !ok {
			return 0
		}
		if g, ok := x.lookup(e); ok && !math.IsNaN(g.latency) {
			all += g.latency
		} else if l := x.file.Loads[x.dialect.vector]; l != nil && memoryAt(e) == 0 {
			all += *l // OSACA counts a store without an entry with no latency
		}
	}
	return all
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// plain writes a number without a decimal point where it has none.
func plain(v float64) string { return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'g', -1, 64) }
