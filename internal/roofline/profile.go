package roofline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"incore/internal/base/finite"
	"incore/internal/base/source"
)

// Profile is the work of a program: its operations, which do not depend on the machine, and the bytes that each level of memory served.
type Profile struct {
	Flops          float64            `json:"flops"`             // floating-point operations; a fused multiply-add counts two
	FPInstructions float64            `json:"fp_instructions"`   // instructions that did these operations
	ElementBits    float64            `json:"element_bits"`      // width of the most frequent elements
	Bytes          map[string]float64 `json:"bytes"`             // served by each level
	Seconds        float64            `json:"seconds,omitempty"` // measured time; 0: not measured
	VectorBits     float64            `json:"vector_bits,omitempty"`
	Partial        string             `json:"partial,omitempty"` // reason why the profile does not cover the whole program
	Signal         string             `json:"signal,omitempty"`  // signal that ended the program
	File           string             `json:"-"`

	// A projection does not need the following fields. incore roofline profile writes them.
	Program      []string           `json:"program,omitempty"`      // program and arguments
	Scope        string             `json:"scope,omitempty"`        // counted part of the program; "": all
	Method       string             `json:"method,omitempty"`       // method of counting
	Static       bool               `json:"static,omitempty"`       // from the code alone, without running it
	Assumed      []string           `json:"assumed,omitempty"`      // assumptions of a static profile
	Caches       string             `json:"caches,omitempty"`       // model that attributes accesses to levels
	Instructions float64            `json:"instructions,omitempty"` // executed
	Branches     float64            `json:"branches,omitempty"`     // of them
	BytesLoaded  float64            `json:"bytes_loaded"`
	BytesStored  float64            `json:"bytes_stored"`
	VectorFlops  float64            `json:"vector_flops,omitempty"` // operations by vector instructions
	Lines        map[string]float64 `json:"lines,omitempty"`        // that were brought to the first level from each other one
	LineBytes    float64            `json:"line_bytes,omitempty"`   // size of these lines; 0: 64
	Traffic      map[string]float64 `json:"traffic,omitempty"`      // bytes of lines that each level sent to the levels before it, and of changed lines that it received from them
	Mix          []MixRow           `json:"mix,omitempty"`          // floating-point instructions by kind
	Loops        []LoopWork         `json:"loops,omitempty"`        // loops with the work, sorted by decreasing work
	Files        []CodeFile         `json:"files,omitempty"`        // files with the code of the loops
	Untimed      string             `json:"untimed,omitempty"`      // reason why the loops have no times
	Counters     *Counters          `json:"counters,omitempty"`     // the kernel's counters during an uninstrumented run
	Uncounted    string             `json:"uncounted,omitempty"`    // reason why there are no counters
}

// MixRow counts the executions of a kind of floating-point instruction.
type MixRow struct {
	Kind         string  `json:"kind"`
	ElementBits  float64 `json:"element_bits"`
	VectorBits   float64 `json:"vector_bits"` // 0: scalar
	Instructions float64 `json:"instructions"`
	Flops        float64 `json:"flops"`
}

// LoopWork counts the work of a loop without its inner loops and called functions, or of a function outside of its loops.
type LoopWork struct {
	Function       string             `json:"function"`
	Loop           string             `json:"loop,omitempty"` // "" outside loops
	Module         string             `json:"module,omitempty"`
	Source         string             `json:"source,omitempty"`     // file and line of its beginning
	Addr           uint64             `json:"addr"`                 // in the module
	Iterations     float64            `json:"iterations,omitempty"` // for a function outside of its loops: calls
	Instructions   float64            `json:"instructions"`
	Flops          float64            `json:"flops"`
	FPInstructions float64            `json:"fp_instructions"`
	Bytes          map[string]float64 `json:"bytes"`
	Lines          map[string]float64 `json:"lines,omitempty"`          // that were brought to the first level from each other one
	CrossingLoads  float64            `json:"crossing_loads,omitempty"` // loads that cross a line; only counted in native runs
	CrossingStores float64            `json:"crossing_stores,omitempty"`
	Seconds        float64            `json:"seconds,omitempty"`    // part of the program's time, by samples; 0: no samples, or not measured
	Samples        float64            `json:"samples,omitempty"`    // number of samples of the time
	Path           []uint64           `json:"path,omitempty"`       // addresses of the blocks on the most frequent path through the loop
	PathShare      float64            `json:"path_share,omitempty"` // share of the loop's executed instructions that are in blocks of the path
}

// Counters holds the counts of the kernel's counters for a run. With counters, a level's bytes are the counted lines from the level times the bytes that the accesses
// use per line from there in the model.
type Counters struct {
	Meaning string             `json:"meaning"` // meaning of the events that count lines
	Events  []EventCount       `json:"events"`
	Lines   map[string]float64 `json:"lines"`       // that were brought to the first level from each other one
	Model   map[string]float64 `json:"model_lines"` // the same in the cache model, as a check
}

// EventCount is the count of an event.
type EventCount struct {
	Event string  `json:"event"`
	Count float64 `json:"count"` // scaled to the whole run
	Share float64 `json:"share"` // share of the run in which the event was counted; less than 1: the kernel multiplexed the events
}

// CodeFile is a file with executed code.
type CodeFile struct {
	Module string `json:"module"`
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// ReadProfile reads a profile and checks it. name is for messages.
func ReadProfile(name string, text []byte) (*Profile, error) {
	p := &Profile{File: name}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // a byte order mark
	at := func(offset int64) int { return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n")) }
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(p); err != nil {
		field, words, ok := source.WrongKind(err)
		var kind *json.UnmarshalTypeError
		switch {
		case ok && field == "":
			return nil, fmt.Errorf("%s: is no profile, which is a JSON object", name)
		case ok && errors.As(err, &kind):
			return nil, fmt.Errorf("%s:%d: field %s %s", name, at(kind.Offset), field, words)
		}
		return nil, fmt.Errorf("%s:%d: is no profile: %w", name, at(d.InputOffset()), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s:%d: more text follows the profile", name, at(d.InputOffset()))
	}
	err := p.check()
	if err == nil {
		err = finite.Check(p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// check validates a profile.
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
	case p.LineBytes < 0 || math.IsInf(p.LineBytes, 0):
		return fmt.Errorf("line_bytes is %v", p.LineBytes)
	}
	for what, v := range map[string]float64{"instructions": p.Instructions, "vector_bits": p.VectorBits} {
		if v < 0 {
			return fmt.Errorf("%s is %v; a number from 0 is needed", what, v)
		}
	}
	levels := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(p.Bytes)) {
		b := p.Bytes[name]
		if other, ok := levels[key(name)]; ok {
			return fmt.Errorf("bytes has a level twice, as %s and %s", other, name)
		}
		levels[key(name)] = name
		if !(b >= 0 && b <= math.MaxFloat64) {
			return fmt.Errorf("bytes of level %s are %v; a number from 0 is needed", name, b)
		}
	}
	return nil
}

// arguments returns the program's arguments.
func (p *Profile) arguments() []string {
	if len(p.Program) == 0 {
		return nil
	}
	return p.Program[1:]
}

// served returns the bytes of a level under any of the level's names.
func (p *Profile) served(level string) (float64, bool) {
	for name, b := range p.Bytes {
		if key(name) == key(level) {
			return b, true
		}
	}
	return 0, false
}

// intensity returns the operational intensity of level order[at]: FLOP per byte of this level and all farther levels (equation 3). order is the
// machine's order of levels. The intensity is infinite if these levels served no bytes.
func (p *Profile) intensity(order []string, at int) float64 {
	sum := 0.0
	for _, name := range order[at:] {
		b, _ := p.served(name)
		sum += b
	}
	return p.Flops / sum
}

// levels returns the machine's levels for which the profile has bytes, in the machine's order. The error names the levels that the machine lacks.
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
