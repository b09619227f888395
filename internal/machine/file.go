package machine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Error is a mistake in a model file.
type Error struct {
	File string
	Line int // 1-based, 0 = the file as a whole
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// maxErrors bounds how many mistakes of one file are reported.
const maxErrors = 25

// maxDepth bounds the chain of base models.
const maxDepth = 8

// header holds the entries of a file before its rows, and between them where noted.
type header struct {
	values   map[string]string
	notes    []string
	facts    []Fact // params and features
	params   []int  // index into facts
	feats    []int
	ports    []string
	resource []string
	groups   [][2]string // name, members
	about    [][2]string // port, its meaning
	widen    [][2]string // port set of inherited rows, its replacement
	double   []string    // port sets of inherited rows that are now twice as wide
	fuses    []string
	line     map[string]int
}

// parsed is one model file, not yet joined with its base.
type parsed struct {
	file   string
	head   header
	errs   []error
	parser *rowParser
	model  *Model
	depth  int
	// embedded: the file is part of the program; tests have validated its rows.
	embedded bool
	// headOnly leaves the rows out, which is enough to list models.
	headOnly bool
}

// run reads the header and the bases, and indexes the rows. In a user's file it also reads the rows. The error joins all mistakes found.
func (p *parsed) run(text string) (*Model, error) {
	p.head = header{values: map[string]string{}, line: map[string]int{}}
	first := p.header(text)
	p.join()
	if len(p.errs) == 0 && !p.headOnly {
		p.body(text, first)
		p.turns()
	}
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return p.model, nil
}

// turns checks that the units which take operations in turn are all of one kind: an operation that could use some of
// them only would wait for ever for its turn.
func (p *parsed) turns() {
	if p.embedded || p.headOnly {
		return
	}
	r, used := p.model.outOfTurn()
	if r == nil {
		return
	}
	line, what := p.head.line["param unit-turns"], fmt.Sprintf("'unit-turns: %s'", p.model.SetName(p.model.Core().UnitTurns))
	if line == 0 && r.file == p.file {
		line = r.line
	}
	p.fail(line, "%s: an instruction uses %s alone (%s:%d), and would wait for ever; name all units of one resource, no others", what, p.model.SetName(used), r.file, r.line)
}

// outOfTurn returns a row that uses some, not all, of the units that take operations in turn, and those that it uses;
// nil if there is none.
func (m *Model) outOfTurn() (*row, PortSet) {
	all := m.Core().UnitTurns
	if all == 0 {
		return nil, 0
	}
	for _, l := range m.rows.layers {
		for i := range l.index().rows {
			r, err := l.row(i)
			if err != nil { // Validate says so
				continue
			}
			for _, u := range r.uops {
				if some := u.Ports & all; some != 0 && some != all {
					return r, some
				}
			}
		}
	}
	return nil, 0
}

func (p *parsed) fail(line int, format string, args ...any) {
	switch {
	case len(p.errs) < maxErrors:
		p.errs = append(p.errs, &Error{p.file, line, fmt.Sprintf(format, args...)})
	case len(p.errs) == maxErrors:
		p.errs = append(p.errs, &Error{p.file, line, "too many mistakes, the rest is not shown"})
	}
}

// header reads up to the first row and returns the position of that row.
func (p *parsed) header(text string) (first logical) {
	first.at = len(text)
	lines(text, logical{line: 1}, func(l logical) bool {
		s := l.join()
		if isRow(s) || strings.HasPrefix(s, sourceKey) {
			first = l
			return false
		}
		p.headerLine(s, l.line)
		return true
	})
	return first
}

func (p *parsed) headerLine(text string, line int) {
	h := &p.head
	key, val, ok := strings.Cut(text, ":")
	if !ok {
		p.fail(line, "expected 'key: value' or a row 'forms | µops | latency', found '%s'", clip(text))
		return
	}
	val = strings.TrimSpace(val)
	kind, name, _ := strings.Cut(strings.TrimSpace(key), " ")
	src := ""
	if i := strings.Index(val, "#"); i >= 0 && kind != "note" && kind != "title" && kind != "about" {
		val, src = strings.TrimSpace(val[:i]), strings.TrimSpace(val[i+1:])
	}
	if val == "" && slices.Contains(headerKeys, kind) {
		hint := "leave it out"
		if kind == "param" {
			hint += "; 'none' removes the base's"
		}
		p.fail(line, "'%s' has no value; %s", clip(strings.TrimSpace(key)), hint)
		return
	}
	switch kind {
	case "note":
		h.notes = append(h.notes, val)
	case "param":
		if src == "" {
			p.fail(line, "parameter '%s' has no source; write it behind '#'", name)
		}
		h.params = append(h.params, len(h.facts))
		h.facts = append(h.facts, Fact{name, val, src})
		h.line["param "+name] = line
	case "feature":
		h.feats = append(h.feats, len(h.facts))
		h.facts = append(h.facts, Fact{name, val, src})
		h.line["feature "+name] = line
	case "group":
		h.groups = append(h.groups, [2]string{name, val})
		h.line["group "+name] = line
	case "about":
		h.about = append(h.about, [2]string{name, val})
		h.line["about "+name] = line
	case "widen":
		h.widen = append(h.widen, [2]string{name, val})
		h.line["widen "+name] = line
	case "double-width":
		h.double = append(h.double, strings.Fields(val)...)
		h.line[kind] = line
	case "ports":
		h.ports = append(h.ports, strings.Fields(val)...)
		h.line["ports"] = line
	case "resources":
		h.resource = append(h.resource, strings.Fields(val)...)
		h.line["resources"] = line
	case "fuses":
		kinds := strings.Fields(val)
		if len(kinds) > 1 && slices.Contains(kinds, noValue) {
			p.fail(line, "'fuses: %s': '%s' stands alone, on a line before the pairs that the core fuses", clip(val), noValue)
		}
		h.fuses = append(h.fuses, kinds...)
		h.facts = append(h.facts, Fact{"fuses", val, src})
	case "cpus":
		h.facts = append(h.facts, Fact{"cpus", val, "CPU names that LLVM has for it"})
	case "detect":
		h.line[kind] = line
		for d := range strings.FieldsSeq(val) {
			if _, err := parseDetect(d); err != nil {
				p.fail(line, "%v", err)
			}
		}
	case "peers":
		for d := range strings.FieldsSeq(val) {
			if tool, list, ok := strings.Cut(d, "="); !ok || tool == "" || list == "" {
				p.fail(line, "'%s' is no TOOL=NAME[,NAME…]", clip(d))
			} else if !slices.Contains(peerTools, tool) {
				p.fail(line, "nothing asks for names of the tool '%s'; known are %s", clip(tool), strings.Join(peerTools, ", "))
			}
		}
	case "name", "title", "aliases", "isa", "base", "borrowed", "complete", "coverage", "generated", "machine":
		if _, dup := h.values[kind]; dup && kind != "aliases" {
			p.fail(line, "'%s' is given twice", kind)
			return
		}
		h.values[kind] = strings.TrimSpace(h.values[kind] + " " + val)
		h.line[kind] = line
	default:
		p.fail(line, "unknown key '%s' (%s)", kind, nearestHint(kind, headerKeys))
	}
}

// peerTools are the tools that are asked for the names of the key peers.
var peerTools = []string{"llvm-mca", "osaca", "uica"}

var headerKeys = []string{"name", "title", "aliases", "isa", "base", "borrowed", "complete", "coverage", "cpus", "detect", "generated", "machine", "note", "param", "peers",
	"feature", "group", "ports", "resources", "about", "fuses", "widen", "double-width", "source"}

// join makes the model from its base and the header.
func (p *parsed) join() {
	h := &p.head
	m := &Model{fuses: map[string]bool{}, rows: &rows{}}
	if b := h.values["base"]; b != "" {
		base, err := p.loadBase(b)
		if err != nil {
			p.fail(h.line["base"], "base '%s': %v", b, err)
			return
		}
		p.inherit(m, base)
	}
	m.Base = h.values["base"]
	if c := h.values["coverage"]; c != "" {
		m.Coverage = c
	}
	m.Name, m.Title = h.values["name"], h.values["title"]
	m.Aliases = strings.Fields(h.values["aliases"])
	if v := h.values["isa"]; v != "" {
		if m.Base != "" && v != m.ISA {
			p.fail(h.line["isa"], "isa '%s' differs from the base's '%s'", v, m.ISA)
		}
		m.ISA = v
	}
	m.Notes = append(m.Notes, h.notes...)
	for _, need := range []struct{ key, val string }{{"name", m.Name}, {"isa", m.ISA}} {
		if need.val == "" {
			p.fail(0, "the header has no '%s:'", need.key)
		}
	}
	p.ports(m)
	p.params(m)
	p.model = m
}

func (p *parsed) loadBase(name string) (*Model, error) {
	if p.depth >= maxDepth {
		return nil, errors.New("the chain of bases is too long or goes in a circle")
	}
	file, text, err := findEmbedded(name)
	if err != nil {
		return nil, err
	}
	return (&parsed{file: file, embedded: true, depth: p.depth + 1, headOnly: p.headOnly}).run(text)
}

func (p *parsed) inherit(m, base *Model) {
	m.ISA, m.Params, m.Coverage = base.ISA, base.Params, base.Coverage
	m.Ports, m.Groups = append(m.Ports, base.Ports...), append(m.Groups, base.Groups...)
	m.Facts = append(m.Facts, base.Facts...)
	for k := range base.fuses {
		m.fuses[k] = true
	}
	m.rows.layers = base.rows.layers
	if why := p.head.values["borrowed"]; why != "" {
		m.Notes = append(m.Notes, why)
		for _, l := range m.rows.layers {
			l.borrowed = true
		}
	} else {
		m.Notes = append(m.Notes, base.Notes...)
	}
}

func (p *parsed) ports(m *Model) {
	h := &p.head
	seen := map[string]bool{}
	for _, q := range m.Ports {
		seen[q.Name] = true
	}
	add := func(names []string, res bool) {
		line := h.line[map[bool]string{false: "ports", true: "resources"}[res]]
		for _, n := range names {
			switch {
			case seen[n]:
				p.fail(line, "port '%s' is named twice", n)
			case strings.ContainsAny(n, "+*:/@|=×") || n == "-":
				p.fail(line, "bad port name '%s'", n)
			default:
				seen[n] = true
				m.Ports = append(m.Ports, Port{Name: n, Resource: res})
			}
		}
	}
	add(h.ports, false)
	add(h.resource, true)
	if len(m.Ports) == 0 {
		p.fail(0, "the header has no 'ports:'")
	}
	if len(m.Ports) > 64 {
		p.fail(h.line["ports"], "%d ports and resources; at most 64", len(m.Ports))
		return
	}
	p.describe(m)
	pr := &rowParser{sets: map[string]PortSet{"-": 0}}
	for i, q := range m.Ports {
		pr.sets[q.Name] = 1 << i
		if q.Resource {
			pr.res |= 1 << i
		}
	}
	for _, g := range m.Groups {
		pr.sets[g.Name] = g.Ports
	}
	for _, g := range h.groups {
		if _, dup := pr.sets[g[0]]; dup || g[0] == "" {
			p.fail(h.line["group "+g[0]], "group '%s' has the name of another group or port", g[0])
			continue
		}
		var set PortSet
		for _, n := range strings.Fields(g[1]) {
			s, err := pr.set(n)
			if err != nil {
				p.fail(h.line["group "+g[0]], "group '%s': %v", g[0], err)
			}
			set |= s
		}
		pr.sets[g[0]] = set
		m.Groups = append(m.Groups, Group{g[0], set})
	}
	p.parser = pr
	p.widen(m)
}

// describe stores the meanings of ports.
func (p *parsed) describe(m *Model) {
	for _, a := range p.head.about {
		i := slices.IndexFunc(m.Ports, func(q Port) bool { return q.Name == a[0] })
		switch line := p.head.line["about "+a[0]]; {
		case i < 0:
			p.fail(line, "about '%s': the model has no such port or resource", a[0])
		default:
			m.Ports[i].About = a[1]
		}
	}
}

// widening replaces a port set in inherited rows, for a core that borrows another core's costs but has more pipes. The set may name a kind of µop
// ("FP45/load"), which must then match. If the units are twice as wide, µops that keep their ports busy for two cycles take one cycle instead.
type widening struct {
	from   PortSet
	kind   UopKind
	any    bool // kind
	to     PortSet
	cycles float64 // these cycles become one, for µops of exactly that many cycles; 0 = unchanged
}

func (p *parsed) widen(m *Model) {
	var rules []widening
	for _, w := range p.head.widen {
		line := p.head.line["widen "+w[0]]
		_, u, err := p.parser.uop(w[0])
		r := widening{from: u.Ports, kind: u.Kind, any: !strings.Contains(w[0], "/")}
		for _, n := range strings.Fields(w[1]) {
			set, err := p.parser.set(n)
			if err != nil {
				p.fail(line, "widen '%s': %v", w[0], err)
			}
			r.to |= set
		}
		switch {
		case err != nil:
			p.fail(line, "widen '%s': %v", w[0], err)
			continue
		case r.to == 0:
			p.fail(line, "widen '%s': no ports; expected 'widen PORTS[/KIND]: PORT…'", w[0])
			continue
		}
		rules = append(rules, r)
	}
	for _, name := range p.head.double {
		ports, times, ok := strings.Cut(name, "/")
		cycles := 2.0
		if ok {
			n, err := strconv.Atoi(times)
			if err != nil || n < 2 {
				p.fail(p.head.line["double-width"], "double-width '%s': '%s' is no number of cycles from 2 on", name, times)
				continue
			}
			cycles = float64(n)
		}
		set, err := p.parser.set(ports)
		if err != nil {
			p.fail(p.head.line["double-width"], "double-width '%s': %v", name, err)
		}
		rules = append(rules, widening{from: set, any: true, to: set, cycles: cycles})
	}
	if len(rules) == 0 {
		return
	}
	for _, l := range m.rows.layers {
		l.widen = append(l.widen, rules)
	}
}

// widenUops applies to each µop the first rule that matches.
func widenUops(uops []Uop, rules []widening) {
	for k := range uops {
		for _, r := range rules {
			if uops[k].Ports != r.from || !r.any && uops[k].Kind != r.kind || r.cycles != 0 && uops[k].Cycles != r.cycles {
				continue
			}
			uops[k].Ports = r.to
			if r.cycles != 0 {
				uops[k].Cycles = 1
			}
			break
		}
	}
}

// paramFields returns the field of each parameter.
func paramFields(q *Params) map[string]any {
	v := reflect.ValueOf(q).Elem()
	out := make(map[string]any, v.NumField())
	for i := range v.NumField() {
		out[v.Type().Field(i).Tag.Get("param")] = v.Field(i).Addr().Interface()
	}
	return out
}

func (p *parsed) params(m *Model) {
	h := &p.head
	fields := paramFields(&m.Params)
	for _, i := range h.params {
		f := h.facts[i]
		line := h.line["param "+f.Name]
		value := f.Value
		if value == noValue {
			value = "0"
		}
		if err := setParam(fields[f.Name], value); err != nil {
			p.fail(line, "parameter '%s': %v", f.Name, err)
		}
	}
	for _, i := range h.feats {
		f := h.facts[i]
		if o := OptionNamed(f.Name); o == nil || !o.Feature {
			hint := nearestHint(f.Name, OptionNames(true))
			if _, param := fields[f.Name]; param || o != nil {
				hint = "it is a parameter: 'param " + f.Name + ": …'"
			}
			p.fail(h.line["feature "+f.Name], "unknown feature '%s' (%s)", f.Name, hint)
			continue
		}
		if _, err := strconv.ParseBool(f.Value); err != nil {
			p.fail(h.line["feature "+f.Name], "feature '%s' is 'true' or 'false', not '%s'", f.Name, clip(f.Value))
		}
	}
	for _, k := range h.fuses {
		if m.fuses[k] = k != noValue; k == noValue {
			clear(m.fuses)
		}
	}
	p.overridden(m)
	m.Facts = slices.DeleteFunc(override(m.Facts, h.facts), func(f Fact) bool { return f.Value == noValue && f.Name != "fuses" })
	if len(p.errs) > 0 || p.headOnly {
		return
	}
	if bad := new(paramError); errors.As(m.readCore(), &bad) {
		line, hint := h.line["param "+bad.fact.Name], ""
		if line == 0 { // the base's, which a line of this file makes wrong
			line, hint = p.removed(bad.fact), fmt.Sprintf("; it is the base's, and 'param %s: %s' removes it", bad.fact.Name, noValue)
		}
		p.fail(line, "%s%s", bad.text(), hint)
	}
}

// overrulers returns, by the name of a parameter, the one beside which it has no effect, or the beginning of its
// name: the tag "overruled" of its field.
var overrulers = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	add := func(t reflect.Type) {
		for i := range t.NumField() {
			if tag := t.Field(i).Tag; tag.Get("overruled") != "" {
				out[tag.Get("param")] = tag.Get("overruled")
			}
		}
	}
	add(reflect.TypeFor[Params]())
	core := reflect.TypeFor[Core]()
	for i := range core.NumField() {
		add(core.Field(i).Type)
	}
	return out
})

// overridden refuses parameters of a user's model that have no effect, because one of the base's wins that the model
// keeps.
func (p *parsed) overridden(m *Model) {
	h := &p.head
	if p.embedded {
		return
	}
	for _, i := range h.params {
		f := h.facts[i]
		winner, ok := overrulers()[f.Name]
		if !ok || f.Value == noValue {
			continue
		}
		wins := func(g Fact) bool {
			return (g.Name == winner || strings.HasSuffix(winner, "-") && strings.HasPrefix(g.Name, winner)) && h.line["param "+g.Name] == 0
		}
		if k := slices.IndexFunc(m.Facts, wins); k >= 0 {
			g := m.Facts[k].Name
			p.fail(h.line["param "+f.Name], "parameter '%s' has no effect: '%s' of %s wins; change that, or remove it by 'param %s: %s'", f.Name, g, m.Base, g, noValue)
		}
	}
}

// removed returns the line of the header that removes or changes what a parameter of the base names: a scheduler, a
// limit or a group; 0 if there is none.
func (p *parsed) removed(f Fact) (line int) {
	for word := range strings.FieldsSeq(f.Value) {
		word, _, _ = strings.Cut(word, "+")
		for _, key := range [...]string{"param " + schedulerPrefix, "param " + LimitPrefix, "group "} {
			line = max(line, p.head.line[key+word])
		}
	}
	return line
}

// noValue stands for the value of a parameter, or the fused pairs, that the base states and the model does not have.
const noValue = "none"

// override replaces earlier facts by later ones of the same name.
func override(old, new []Fact) []Fact {
	out := append([]Fact(nil), old...)
next:
	for _, f := range new {
		for i := range out {
			if out[i].Name == f.Name {
				out[i] = f
				continue next
			}
		}
		out = append(out, f)
	}
	return out
}

// body adds the file's rows to the model.
func (p *parsed) body(text string, first logical) {
	var t *table
	if p.embedded {
		t = embeddedTable(p.file, text, first, p.head.values["machine"])
	} else {
		t = newTable(p.file, text, first, p.head.values["machine"])
	}
	own := &layer{table: t, parser: p.parser, complete: p.head.values["complete"] != ""}
	p.model.rows.layers = append(p.model.rows.layers, own)
	if p.embedded {
		return
	}
	for i, t := range own.index().rows {
		if _, err := own.row(i); err != nil {
			p.fail(int(t.line), "%v", err)
		}
	}
}

// maxText is the number of bytes of a user's model.
const maxText = 16 << 20

// Load reads a user's model. Its base may be an embedded model.
func Load(r io.Reader, filename string) (*Model, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading model %s: %w", filename, err)
	case len(text) > maxText:
		return nil, &Error{filename, 0, fmt.Sprintf("more than %d bytes; a model has some megabytes", maxText)}
	case bytes.IndexByte(text, 0) >= 0:
		return nil, &Error{filename, 1 + bytes.Count(text[:bytes.IndexByte(text, 0)], []byte("\n")), "a zero byte: this is no text"}
	}
	if strings.TrimSpace(string(text)) == "" {
		return nil, &Error{filename, 0, "the model file is empty"}
	}
	return (&parsed{file: filename}).run(string(text))
}

func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
