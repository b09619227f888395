package dyndeps

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/base/regex"
)

// Report is the description of a run.
type Report struct {
	Program      string       `json:"program"`
	ISA          string       `json:"isa"`
	Emulator     string       `json:"emulator"`
	Chosen       string       `json:"chosen,omitempty"` // code whose loads are observed
	Instructions uint64       `json:"instructions"`     // executed
	Loads        uint64       `json:"loads"`
	Stores       uint64       `json:"stores"`
	Missing      uint64       `json:"accesses_missing"` // executions of loads and stores that the emulator did not report and that could not be recovered
	VectorBits   int          `json:"sve_vector_bits,omitempty"`
	Limit        uint64       `json:"lifetime_limit,omitempty"`
	Interrupted  bool         `json:"interrupted"`
	Exit         string       `json:"exit,omitempty"`
	Notes        []string     `json:"notes"`
	Dependences  []Dependence `json:"dependencies"`
}

// Dependence is a store and a load that read bytes of that store.
type Dependence struct {
	From      Place      `json:"from"` // the store
	To        Place      `json:"to"`   // the load
	Count     uint64     `json:"count"`
	Distance  *int       `json:"distance"` // the most frequent distance in iterations; null: not within one call of a function
	Distances []Apart    `json:"distances"`
	Lifetime  Lifetime   `json:"lifetime"`
	Within    []Lifespan `json:"within"`
}

// Apart is a distance in iterations, with its loop.
type Apart struct {
	Iterations *int   `json:"iterations"`     // null: store and load are of different calls, or functions
	OrMore     bool   `json:"or_more"`        // Iterations is a lower bound
	Loop       string `json:"loop,omitempty"` // the loop that carries the dependence ("main+0x40"); "": no loop contains both
	Count      uint64 `json:"count"`
}

// Lifetime is the number of instructions executed between store and load.
type Lifetime struct {
	Min  uint64  `json:"min"`
	Mean float64 `json:"mean"`
	Max  uint64  `json:"max"`
}

// Lifespan counts the occurrences of a lifetime below a limit.
type Lifespan struct {
	Below uint64 `json:"below"`
	Count uint64 `json:"count"`
}

// Copies notes, if no load of the chosen functions was executed, the copies of them that compilers made.
func (r *Report) Copies(p *Program, functions []string) {
	if r.Loads > 0 {
		return
	}
	for _, name := range functions {
		if s := p.File.Copies(name); s != "" {
			r.Notes = append(r.Notes, name+" executed no load"+s)
		}
	}
}

// Describe makes a report of a run. chosen names the code whose loads were observed, "" for all.
func (t *Trace) Describe(chosen string) *Report {
	p := t.Program
	r := &Report{Program: p.File.Path, ISA: p.File.ISA.Name, Emulator: t.Emulator, Chosen: chosen, Instructions: t.Instructions, Loads: t.Loads,
		Stores: t.Stores, Missing: t.Unseen, VectorBits: t.VectorBits, Limit: t.Lifetime, Interrupted: t.Interrupted, Exit: t.Exit, Notes: t.notes(), Dependences: []Dependence{}}
	n := newNamer(t)
	for i := range t.Pairs {
		r.Dependences = append(r.Dependences, t.dependence(n, &t.Pairs[i]))
	}
	return r
}

// dependence describes a pair.
func (t *Trace) dependence(n *namer, x *Pair) Dependence {
	p := t.Program
	d := Dependence{From: n.place(x.From), To: n.place(x.To), Count: x.Count, Lifetime: Lifetime{x.Least, x.Mean, x.Most}, Distances: []Apart{}}
	for _, y := range x.Distances {
		a := Apart{OrMore: y.Iterations == MaxDistance, Count: y.Count}
		if y.Iterations >= 0 {
			a.Iterations = &y.Iterations
		}
		if y.Loop >= 0 {
			a.Loop = p.File.Name(p.Loops[y.Loop].Addr())
		}
		d.Distances = append(d.Distances, a)
	}
	if len(d.Distances) > 0 {
		d.Distance = d.Distances[0].Iterations
	}
	for k, w := range Windows {
		d.Within = append(d.Within, Lifespan{w, x.Within[k]})
	}
	return d
}

// notes lists the executions that the figures leave out.
func (t *Trace) notes() []string {
	out := []string{}
	note := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	note(t.Limit > 0, "the program was ended after %v (--time-limit)", t.Limit)
	note(t.Interrupted, "interrupted after %d instructions: what was seen until then", t.Instructions)
	note(t.Illegal != 0, "the program stopped at an instruction that %s does not know: %s (AVX-512 and other recent extensions; compile for an older CPU, such as -march=x86-64-v3)", t.Emulator, t.where(t.Illegal))
	note(t.Rewritten != 0, "the program wrote the code at %s through another mapping of its memory, which %s does not see: what was seen until it executed that code", t.where(t.Rewritten), t.Emulator)
	note(t.Exit != "" && !t.Interrupted && t.Rewritten == 0, "the program did not end well: %s", t.Exit)
	note(t.Replaced, "the program became another one (exec) or ended unusually; what it did from there on was not observed")
	note(t.Forks > 0, "%d child processes were not observed", t.Forks)
	note(t.Threads > 1, "%d threads: lifetimes and distances count the instructions of all of them and are approximate", t.Threads)
	note(t.Unseen > 0, "%s executions of SVE loads and stores are missing, %s of all accesses: %s reports neither them nor the registers that their addresses come from", thousands(t.Unseen), t.missing(), t.Emulator)
	note(t.VectorBits > 0, "SVE vectors had %d bits", t.VectorBits)
	note(t.VectorBits > 0 && longest(t.cpu) > t.VectorBits, "--cpu %s allows longer ones, but Linux gives programs no more than 512 bits unless they ask: add sve-default-vector-length=-1", t.cpu)
	note(t.Evicted > 0, "%d pages of shadow memory were dropped: dependences on stores long ago are missing (more memory or --lifetime avoids it)", t.Evicted)
	note(t.Lost > 0, "%d occurrences of dependences had no room in the table", t.Lost)
	return out
}

var lengthRE = regex.Lazy(`\bsve(\d+)=on\b`)

// longest is the longest SVE vector that a description of a CPU for QEMU asks for, in bits; 0 if it asks for none.
func longest(cpu string) (bits int) {
	for _, m := range lengthRE().FindAllStringSubmatch(cpu, -1) {
		n, _ := strconv.Atoi(m[1])
		bits = max(bits, n)
	}
	return bits
}

// missing returns the share of the accesses that were not observed.
func (t *Trace) missing() string {
	return fmt.Sprintf("%.1f %%", 100*float64(t.Unseen)/float64(max(1, t.Loads+t.Stores+t.Unseen)))
}

// where describes an instruction in a sentence.
func (t *Trace) where(addr uint64) string {
	p := newNamer(t).place(addr)
	s := p.String()
	if p.Text != "" {
		s += fmt.Sprintf(" (%s)", strings.TrimSpace(p.Text))
	}
	return s
}
