package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// record is one measured instruction form of a uops.info file; the schema is in the folder of the files.
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
	table      bool
	Range      latRange   `json:"-"`
	offered    []pairInfo // a donor's latencies of a memory form, which are used if the donor's register form is
	donor      string     // the core whose record completed this one
	donorSlots *float64   // the donor's slots, to compare with the slots of its variants

	// inMemory is set if memory renaming does not apply to the record's load, by the records of core.renaming or because the table has no
	// pair of operands that is fast enough.
	inMemory bool
	held     float64 // a sister core's reciprocal throughput (core.slow), where TP is 0
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
	Mem    *float64 `json:"cycles_mem"`
	Same   *float64 `json:"cycles_same_reg"`
}

// movesRE matches the instructions that only load or store.
var movesRE = regexp.MustCompile(`^(V?MOV[^_ ]*|V?LDDQU|POP|PUSH|V?BROADCAST[^_ ]*|VPBROADCAST[^_ ]*)[_ ]`)

// unitsByKind gives a record without known ports µops on the units of their kind: one for a load, two for a store, and the counted µops
// for the computation. The count is also the number of slots. An access of 256 bits is two accesses of 128 bits (Intel: Gracemont, Crestmont and Skymont have vector units,
// load ports and store ports of 128 bits).
func (r *record) unitsByKind() {
	r.Ports, r.Slots = map[string]float64{}, r.Uops
	if r.takesNoTime() && movesRE.MatchString(r.String) && r.Uops != nil { // a register move that is eliminated at rename
		r.Uops = new(float64)
		return
	}
	pieces := 1.0 // of 128 bits, a µop each, that a move to or from 256 bits has
	if moves := movesRE.MatchString(r.String); moves && r.Uops != nil && *r.Uops == 2 && strings.Contains(r.String, "YMM") || strings.Contains(r.String, "M256") {
		pieces = 2
	}
	for _, o := range r.Operands {
		if o.Type != "mem" {
			continue
		}
		if strings.Contains(o.RW, "r") {
			r.Ports["LD"] += pieces
		}
		if strings.Contains(o.RW, "w") {
			r.Ports["STA"], r.Ports["STD"] = pieces, pieces
		}
	}
	if r.Uops != nil && *r.Uops > 0 && !(len(r.Ports) > 0 && *r.Uops == pieces && movesRE.MatchString(r.String) && !r.joins()) {
		r.Ports["UNKNOWN"] = *r.Uops
	}
	for n, v := range r.Variants {
		if v.Uops != nil && *v.Uops > 0 {
			v.Ports, v.Slots = r.Ports, v.Uops
		}
		r.Variants[n] = v
	}
}

// floatDividesRE matches the divisions and roots of floating point.
var floatDividesRE = regexp.MustCompile(`^V?(DIV|SQRT)[PS][SD]`)

// dividerTime says how long a division or root keeps the divider, which no counter tells: of integers until the result comes (InstLatx64, Celeron N5100: 11 cycles, one
// every 11). Operations of floating point of 256 bits are two of 128: a chain of them waits for the divider
// alone, twice for each. Of scalars, and on Tremont, the divider is free for the next 5 cycles before the result comes (InstLatx64, Celeron N5100: DIVSS, DIVPS,
// DIVSD and DIVPD 10, 15, 13 and 21 cycles, one each 5, 10, 8 and 16), which on Gracemont and Crestmont comes to the same.
func (k *core) dividerTime(r *record) {
	const early = 5
	if !dividesRE.MatchString(r.String) {
		return
	}
	own := r // or the register form, as nothing but the address has a figure of a memory form
	if s := k.siblings[registerForm(r.String)]; s != nil {
		own = s
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(own.String, "V"), " ")
	wide := k.siblings["V"+name+" (YMM, YMM, YMM)"]
	if wide == nil {
		wide = k.siblings["V"+name+" (YMM, YMM)"]
	}
	switch c := own.quickest(); {
	case !floatDividesRE.MatchString(r.String), own == wide:
		r.Div = c
	case wide != nil:
		r.Div = math.Floor(wide.quickest() / 2)
	default:
		r.Div = c - early
	}
}

// joins reports whether what is moved meets the old value of the register, as a byte does, which does not wait for the load's address.
func (r *record) joins() bool {
	for _, l := range r.Latencies {
		if l.From == l.To && l.Addr == nil && l.Cycles > 0 {
			return true
		}
	}
	return false
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

// open opens a compressed file of figures.
func open(dir, name string) (*compressed, error) {
	f, err := os.Open(filepath.Join(dir, name+".gz"))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s.gz: %w", name, err)
	}
	return &compressed{z, f}, nil
}

// compressed reads a gzip file, and closes it with its reader.
type compressed struct {
	*gzip.Reader
	file *os.File
}

func (c *compressed) Close() error { return errors.Join(c.Reader.Close(), c.file.Close()) }

// read reads the per-operand figures of a core.
func read(dir, name string) ([]record, error) {
	f, err := open(dir, name+".jsonl")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	sc.Scan() // the header line
	var out []record
	for sc.Scan() {
		var r record
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, r)
	}
	return out, sc.Err()
}
