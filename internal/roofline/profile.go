package roofline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Profile is what a program does: its own work, whatever machine it runs on, and the bytes that each level of memory served.
type Profile struct {
	Flops          float64            `json:"flops"`             // floating-point operations; a fused multiply-add counts two
	FPInstructions float64            `json:"fp_instructions"`   // that did them
	ElementBits    float64            `json:"element_bits"`      // of the elements that most of them work on
	Bytes          map[string]float64 `json:"bytes"`             // served by each level
	Seconds        float64            `json:"seconds,omitempty"` // measured; 0: not
	VectorBits     float64            `json:"vector_bits,omitempty"`
	Partial        string             `json:"partial,omitempty"` // why not all of the program is in it
	File           string             `json:"-"`

	// What follows is not needed to project. incore roofline profile writes it.
	Program      []string           `json:"program,omitempty"`      // and its arguments
	Scope        string             `json:"scope,omitempty"`        // the part of the program that was counted; "": all
	Method       string             `json:"method,omitempty"`       // how it was counted
	Static       bool               `json:"static,omitempty"`       // from the code alone, without running it
	Assumed      []string           `json:"assumed,omitempty"`      // what a static profile takes for granted
	Caches       string             `json:"caches,omitempty"`       // the model that says which level served what
	Instructions float64            `json:"instructions,omitempty"` // executed
	Branches     float64            `json:"branches,omitempty"`     // of them
	BytesLoaded  float64            `json:"bytes_loaded"`
	BytesStored  float64            `json:"bytes_stored"`
	VectorFlops  float64            `json:"vector_flops,omitempty"` // of the operations, those by instructions on vectors
	Lines        map[string]float64 `json:"lines,omitempty"`        // that were brought to the first level from each other one
	Traffic      map[string]float64 `json:"traffic,omitempty"`      // bytes of lines that each level gave to the levels before it and got back changed
	Mix          []MixRow           `json:"mix,omitempty"`          // floating-point instructions by kind
	Loops        []LoopWork         `json:"loops,omitempty"`        // where the work is, the most of it first
	Files        []CodeFile         `json:"files,omitempty"`        // that the code of the loops is in
	Untimed      string             `json:"untimed,omitempty"`      // why the loops have no time
	Counters     *Counters          `json:"counters,omitempty"`     // of the kernel, while the program ran as it is
	Uncounted    string             `json:"uncounted,omitempty"`    // why there are none
}

// MixRow is what was executed of a kind of floating-point instruction.
type MixRow struct {
	Kind         string  `json:"kind"`
	ElementBits  float64 `json:"element_bits"`
	VectorBits   float64 `json:"vector_bits"` // 0: on scalars
	Instructions float64 `json:"instructions"`
	Flops        float64 `json:"flops"`
}

// LoopWork is what was executed in a loop, without the loops within and the functions that it calls, or in a function outside its loops.
type LoopWork struct {
	Function       string             `json:"function"`
	Loop           string             `json:"loop,omitempty"` // "" outside loops
	Module         string             `json:"module,omitempty"`
	Source         string             `json:"source,omitempty"`     // file and line of its beginning
	Addr           uint64             `json:"addr"`                 // in the module
	Iterations     float64            `json:"iterations,omitempty"` // of a function outside its loops: calls
	Instructions   float64            `json:"instructions"`
	Flops          float64            `json:"flops"`
	FPInstructions float64            `json:"fp_instructions"`
	Bytes          map[string]float64 `json:"bytes"`
	Lines          map[string]float64 `json:"lines,omitempty"`          // that were brought to the first level from each other one
	CrossingLoads  float64            `json:"crossing_loads,omitempty"` // loads of bytes of two lines; counted natively only
	CrossingStores float64            `json:"crossing_stores,omitempty"`
	Seconds        float64            `json:"seconds,omitempty"`    // of the program's, by samples; 0: not seen there, or not measured
	Samples        float64            `json:"samples,omitempty"`    // that the time rests on
	Path           []uint64           `json:"path,omitempty"`       // blocks, by address, that a pass through it executes most often
	PathShare      float64            `json:"path_share,omitempty"` // of the instructions executed, those in blocks of the path
}

// Counters is what the kernel's counters say of a run. Bytes by level are theirs then: lines of a level times the bytes that the model's accesses have of a
// line from there.
type Counters struct {
	Meaning string             `json:"meaning"` // of the events of lines
	Events  []EventCount       `json:"events"`
	Lines   map[string]float64 `json:"lines"`       // that were brought to the first level from each other one
	Model   map[string]float64 `json:"model_lines"` // the same by the model of caches, as a check
}

// EventCount is what was counted of an event.
type EventCount struct {
	Event string  `json:"event"`
	Count float64 `json:"count"` // scaled to the whole run
	Share float64 `json:"share"` // of the run, that in which it was counted; less than 1: the events were counted in turn
}

// CodeFile is a file that code was executed from.
type CodeFile struct {
	Module string `json:"module"`
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// ReadProfile reads a profile and checks it. name is for messages.
func ReadProfile(name string, text []byte) (*Profile, error) {
	p := &Profile{File: name}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(p); err != nil {
		line := 1 + bytes.Count(text[:min(int(d.InputOffset()), len(text))], []byte("\n"))
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return nil, fmt.Errorf("%s:%d: field %s is a %s; a number is needed", name, 1+bytes.Count(text[:min(int(kind.Offset), len(text))], []byte("\n")), kind.Field, kind.Value)
		}
		return nil, fmt.Errorf("%s:%d: is no profile: %w", name, line, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// check says what is wrong with a profile.
func (p *Profile) check() error {
	switch {
	case p.Flops == 0:
		return errors.New("flops is 0 or missing: without floating-point operations there is nothing that a roofline limits")
	case !positive(p.Flops):
		return fmt.Errorf("flops is %v; a positive number is needed", p.Flops)
	case !positive(p.FPInstructions):
		return fmt.Errorf("fp_instructions is %v; the number of floating-point instructions is needed", p.FPInstructions)
	case p.ElementBits != 64 && p.ElementBits != 32 && p.ElementBits != 16:
		return fmt.Errorf("element_bits is %v; 64, 32 or 16 is needed", p.ElementBits)
	case len(p.Bytes) == 0:
		return errors.New("bytes is missing: how many each level of memory served (bytes: {L1: …, L2: …, memory: …})")
	case p.Seconds < 0 || math.IsInf(p.Seconds, 0):
		return fmt.Errorf("seconds is %v", p.Seconds)
	}
	for name, b := range p.Bytes {
		if !(b >= 0 && b <= math.MaxFloat64) {
			return fmt.Errorf("bytes of level %s are %v; a number from 0 is needed", name, b)
		}
	}
	return nil
}

// arguments are those that the program ran with.
func (p *Profile) arguments() []string {
	if len(p.Program) == 0 {
		return nil
	}
	return p.Program[1:]
}

// served is the bytes of a level, by whatever it is called.
func (p *Profile) served(level string) (float64, bool) {
	for name, b := range p.Bytes {
		if key(name) == key(level) {
			return b, true
		}
	}
	return 0, false
}

// intensity is the operational intensity of a level, FLOP per byte of that level and all farther ones (equation 3), levels being in the order of a
// machine; infinite where these served nothing.
func (p *Profile) intensity(order []string, at int) float64 {
	sum := 0.0
	for _, name := range order[at:] {
		b, _ := p.served(name)
		sum += b
	}
	return p.Flops / sum
}

// levels are those of a machine that a profile has bytes of, in the machine's order. The error names what the machine lacks.
func (p *Profile) levels(m *Machine) (order []string, err error) {
	for _, l := range m.Levels {
		if _, ok := p.served(l.Name); ok {
			order = append(order, l.Name)
		}
	}
	var lacks []string
	for name := range p.Bytes {
		if m.level(name) == nil {
			lacks = append(lacks, name)
		}
	}
	if slices.Sort(lacks); len(lacks) > 0 {
		return nil, fmt.Errorf("profile %s has bytes of level %s, which machine %s lacks: it has %s", p.File, lacks[0], m.Name, m.names())
	}
	return order, nil
}
