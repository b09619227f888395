package osaca

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
)

// write writes the file: a comment with the lost distinctions, the core, the ports, the entries.
func (x *exporter) write(w *bufio.Writer) {
	loads, stores := x.transfers(false), x.transfers(true)
	x.leave(loads)
	for i := range x.forms {
		if x.uneven(x.forms[i].cost) {
			x.late++
		}
	}
	x.synonyms()
	x.stems()
	x.header(w)
	m := x.model
	fmt.Fprintf(w, "osaca_version: 0.5.3\nmicro_architecture: %q\narch_code: %s\nisa: %s\n", m.Title, strings.ReplaceAll(m.Name, "-", "_"), x.dialect.isa)
	fmt.Fprintf(w, "ROB_size: %s\ndispatched_uops_per_cycle: %s\nretired_uOps_per_cycle: %s\nscheduler_size: %s\nhidden_loads: false\n",
		orNull(m.Params.ROB), orNull(m.Params.DispatchWidth), orNull(m.Params.RetireWidth), orNull(m.Params.Scheduler))
	x.latencies(w, loads)
	x.throughputs(w, "load", "dst", loads)
	x.throughputs(w, "store", "src", stores)
	fmt.Fprintf(w, "store_to_load_forward_latency: %s\n", number(x.forward(loads, stores)))
	names := make([]string, len(m.Ports))
	for i, p := range m.Ports {
		names[i] = "'" + p.Name + "'"
	}
	fmt.Fprintf(w, "ports: [%s]\nport_model_scheme: |\n", strings.Join(names, ", "))
	for _, g := range m.Groups {
		fmt.Fprintf(w, "  %s = %s\n", g.Name, strings.Join(m.PortNames(g.Ports), " "))
	}
	fmt.Fprintf(w, "  ports: %s\ninstruction_forms:\n", strings.Join(m.PortNames(1<<len(m.Ports)-1), " "))
	// For OSACA an address without an index also matches entries with an index, so that these follow last.
	sort.SliceStable(x.forms, func(i, j int) bool { return x.forms[i].name < x.forms[j].name })
	for _, indexed := range []bool{false, true} {
		for i := range x.forms {
			if x.forms[i].indexed() == indexed {
				x.writeEntry(w, &x.forms[i])
			}
		}
	}
}

// indexed reports an entry whose address has an index.
func (f *entry) indexed() bool {
	return slices.ContainsFunc(f.operands, func(o operand) bool { return o.class == "memory" && !slices.Contains(o.attrs, "index: ~") })
}

// uneven reports whether a pair of register operands has another latency than the instruction's.
func (x *exporter) uneven(c *machine.Cost) bool {
	for i := range c.Effects.Reads {
		for o := range c.Effects.Writes {
			if v, ok := c.Pair(i, o); ok && v != c.Latency && v != c.Latency-c.Load {
				return true
			}
		}
	}
	return false
}

func orNull(v int) string {
	if v == 0 {
		return "~"
	}
	return fmt.Sprint(v)
}

func (x *exporter) header(w *bufio.Writer) {
	fmt.Fprintf(w, `# Written by 'incore model export --format osaca' from the model %s.
# Put it where OSACA looks first, under the name of a core that it knows: ~/.osaca/data/NAME.yml, then 'osaca --arch NAME'.
#
# %d entries. What this format cannot say, and so is lost:
# - latencies per pair of operands: %d entries have pairs with another latency than the one given (the largest); late
#   operands and forwarding within a kind of instruction are among them
# - costs that depend on values of operands: an entry has the cost of a plain sample
# - forms that one mnemonic and kinds of operands do not tell apart: %d entries stand for several with different costs; the first counts
#   (masks, broadcasts, rounding, high bytes, numbers of vector elements, shifted registers)
# - macro-fusion, zero idioms beside breaks_dependency_on_equal_operands, what is eliminated only sometimes, queues, the front end
# - when in an instruction's execution a port is busy
# - latencies from stores to loads by kind of register: the file has that of vectors, beyond the latencies of the store and of the load
# - memory renaming, and bases that are written back: OSACA makes them wait for what the instruction stores
# Left out: %d forms without data in the model, %d that OSACA's parser has no text for or whose text is another form's.
`, x.model.Name, len(x.forms), x.late, len(x.merged), x.unknown, x.silent)
	if x.split > 0 {
		fmt.Fprintf(w, "# %d entries of forms with a memory source are not needed: OSACA adds a load to the form with registers, with the same ports.\n", x.split)
	}
	if x.widths > 0 {
		fmt.Fprintf(w, "# %d entries of narrower operands have the cost of the widest: OSACA reads one mnemonic without the suffix for all.\n", x.widths)
	}
	for _, n := range x.model.Notes {
		fmt.Fprintf(w, "# %s\n", n)
	}
}

// latencies writes the load latency for each kind of register.
func (x *exporter) latencies(w *bufio.Writer, loads transfers) {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(loads)) {
		parts = append(parts, fmt.Sprintf("%s: %s", kind, number(loads[kind].cost.Latency)))
	}
	fmt.Fprintf(w, "load_latency: {%s}\n", strings.Join(parts, ", "))
}

// throughputs writes the ports that a load or a store of each kind of register occupies.
func (x *exporter) throughputs(w *bufio.Writer, what, key string, list transfers) {
	fmt.Fprintf(w, "%s_throughput:", what)
	kinds := slices.Sorted(maps.Keys(list))
	if len(kinds) == 0 {
		fmt.Fprint(w, " []")
	}
	fmt.Fprintln(w)
	common := "[]"
	for _, kind := range kinds {
		p := x.pressure(list[kind].cost.Uops)
		if common == "[]" || kind == "gpr" || kind == "x" {
			common = p
		}
		fmt.Fprintf(w, "- {%s: %s, base: '*', index: '*', offset: '*', scale: '*', pre_indexed: false, post_indexed: false, port_pressure: %s}\n", key, kind, p)
	}
	fmt.Fprintf(w, "%s_throughput_default: %s\n", what, common)
}

// entry writes one instruction form.
func (x *exporter) writeEntry(w *bufio.Writer, f *entry) {
	name := "'" + f.name + "'"
	if len(f.also) > 0 {
		name = "[" + name + ", '" + strings.Join(f.also, "', '") + "']"
	}
	fmt.Fprintf(w, "- name: %s # %s\n  operands:", name, strings.ReplaceAll(f.sample, "\t", " "))
	if len(f.operands) == 0 {
		fmt.Fprint(w, " []")
	}
	fmt.Fprintln(w)
	for _, o := range f.operands {
		fmt.Fprintf(w, "  - class: %s\n", o.class)
		for _, a := range o.attrs {
			fmt.Fprintf(w, "    %s\n", a)
		}
	}
	latency := "~"
	if !math.IsNaN(f.cost.Latency) {
		latency = number(f.cost.Latency)
	}
	fmt.Fprintf(w, "  throughput: %s\n  latency: %s\n  port_pressure: %s\n  uops: %s\n", number(f.cost.RThroughput), latency, x.pressure(f.cost.Uops), number(f.cost.NumUops))
	if f.breaks {
		fmt.Fprintln(w, "  breaks_dependency_on_equal_operands: true")
	}
}

// transfers maps each kind of register to the entry of its plain load (or store).
type transfers map[string]*entry

// transfers finds the plain loads or stores with an address without an index.
func (x *exporter) transfers(store bool) transfers {
	out := transfers{}
	for _, name := range x.dialect.plain {
		for i := range x.forms {
			f := &x.forms[i]
			if f.name != name || f.indexed() || len(f.operands) != 2 || len(f.cost.Effects.Mem) != 1 || f.cost.Effects.Mem[0].Store != store || slices.Contains(f.operands[1].attrs, "post_indexed: true") || slices.Contains(f.operands[1].attrs, "pre_indexed: true") {
				continue
			}
			for _, o := range f.operands {
				if o.class != "register" {
					continue
				}
				if kind := strings.Fields(o.attrs[0])[1]; out[kind] == nil {
					c := *f // entries move when others are left out
					out[kind] = &c
				}
			}
		}
	}
	return out
}

// leave drops the entry of a form that loads and computes if OSACA computes the same cost from the register form and a load: only
// without the entry does OSACA know that the register operands don't wait for the load.
func (x *exporter) leave(loads transfers) {
	if !x.dialect.split {
		return
	}
	costs := map[string]*machine.Cost{}
	for i := range x.forms {
		costs[x.forms[i].key()] = x.forms[i].cost
	}
	x.forms = slices.DeleteFunc(x.forms, func(f entry) bool {
		e := &f.cost.Effects
		computes := slices.ContainsFunc(e.Reads, func(r isa.Access) bool { return r.Role != isa.RoleAddr && r.Op >= 0 })
		if len(e.Mem) != 1 || e.Mem[0].Store || !e.Mem[0].Load || !computes {
			return false
		}
		reg := f
		reg.operands = slices.Clone(f.operands)
		for i, o := range reg.operands {
			if o.class != "memory" {
				continue
			}
			for kind, l := range loads {
				reg.operands[i] = operand{"register", []string{"name: " + kind}}
				c := costs[reg.key()]
				if c != nil && x.pressure(slices.Concat(c.Uops, l.cost.Uops)) == x.pressure(f.cost.Uops) {
					x.split++
					return true
				}
			}
		}
		return false
	})
}

// synonyms adds to entries the other mnemonics that compilers write for the same form: other condition codes, and mnemonics without the width suffix.
func (x *exporter) synonyms() {
	taken := map[string]bool{}
	for i := range x.forms {
		taken[x.forms[i].key()] = true
	}
	for n := range x.dialect.synonymRounds {
		for i := range x.forms {
			f := &x.forms[i]
			for _, name := range x.dialect.synonyms(f.name, n) {
				other := *f
				other.name = name
				text := strings.Replace(f.sample, f.name, name, 1)
				back, err := x.set.Parse(nil, text, x.set.Syntaxes[0])
				if key := other.key(); !taken[key] && err == nil && len(back) == 1 && x.set.FormName(&back[0]) == f.cost.Form {
					taken[key] = true
					f.also = append(f.also, name)
				}
			}
		}
	}
}

// stems leaves the width suffix out of x86's mnemonics. OSACA drops it only from a mnemonic that the machine file does not have, and knows which operands
// are read and written by the mnemonic without it alone: with an entry for addq, what adds to a register is no chain. Entries of other widths, which then
// have the name of the widest, are left out.
func (x *exporter) stems() {
	owner := map[string]int{}
	for i := range x.forms {
		f := &x.forms[i]
		for _, name := range append([]string{f.name}, f.also...) {
			owner[(&entry{name: name, operands: f.operands}).key()] = i
		}
	}
	suffixed := func(f *entry) (stem string, by int, ok bool) {
		if x.set.Name != "x86-64" || len(f.name) < 3 || !strings.Contains(attSuffixes, f.name[len(f.name)-1:]) {
			return "", 0, false
		}
		stem = f.name[:len(f.name)-1]
		by, ok = owner[(&entry{name: stem, operands: f.operands}).key()]
		return stem, by, ok
	}
	kept := x.forms[:0:0]
	for i := range x.forms {
		f := x.forms[i]
		stem, by, ok := suffixed(&f)
		if ok && by != i {
			if widest := x.forms[by].cost; widest.Latency != f.cost.Latency || x.pressure(widest.Uops) != x.pressure(f.cost.Uops) {
				x.widths++
			}
			continue
		}
		if ok {
			f.name, f.also = stem, slices.DeleteFunc(slices.Clone(f.also), func(n string) bool { return n == stem })
		}
		kept = append(kept, f)
	}
	x.forms = kept
}
