// Package roofline projects the performance of a program from one machine to another by their rooflines (C. Gavoille et al., Relative Performance
// Projection on Arm Architectures, Euro-Par 2022, section 3). Machine files hold the roofs, profiles hold the program's operations and bytes. A projection assumes
// that the program reaches the same share of a roof on the target as on the source.
package roofline

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"incore/internal/base/finite"
	"incore/internal/base/yamlfile"
)

// Machine is a machine described by its roofs.
type Machine struct {
	Name       string            `yaml:"name" json:"name"`
	Title      string            `yaml:"title,omitempty" json:"title,omitempty"`
	VectorBits float64           `yaml:"vector_bits" json:"vector_bits"`
	Peak       Peak              `yaml:"peak" json:"peak"`
	Levels     []Level           `yaml:"levels" json:"levels"`   // of memory, from the core outwards
	Sources    map[string]string `yaml:"sources" json:"sources"` // sources of the figures
	File       string            `yaml:"-" json:"-"`

	// A projection does not need the following fields. incore roofline measure writes them.
	Cores      int            `yaml:"cores,omitempty" json:"cores,omitempty"`     // that ran at the same time; 0: one
	Clock      float64        `yaml:"clock,omitempty" json:"clock,omitempty"`     // GHz
	Core       string         `yaml:"core,omitempty" json:"core,omitempty"`       // incore's model of the core, for refinements
	Overlap    bool           `yaml:"overlap,omitempty" json:"overlap,omitempty"` // transfers between levels overlap with the core's accesses
	Peaks      []PeakRow      `yaml:"peaks,omitempty" json:"peaks,omitempty"`
	Bandwidths []BandwidthRow `yaml:"bandwidths,omitempty" json:"bandwidths,omitempty"`
}

// PeakRow is a measured floating-point rate.
type PeakRow struct {
	Precision  string  `yaml:"precision" json:"precision"`
	VectorBits float64 `yaml:"vector_bits" json:"vector_bits"` // 0: scalar
	Operations string  `yaml:"operations" json:"operations"`
	Rate       float64 `yaml:"rate" json:"rate"` // GFLOP/s, the best of several runs
	Median     float64 `yaml:"median" json:"median"`
	Clock      float64 `yaml:"clock,omitempty" json:"clock,omitempty"` // GHz
}

// BandwidthRow is a measured bandwidth.
type BandwidthRow struct {
	Level      string  `yaml:"level" json:"level"`
	Operation  string  `yaml:"operation" json:"operation"` // triad, copy, load, store, nontemporal
	VectorBits float64 `yaml:"vector_bits" json:"vector_bits"`
	Rate       float64 `yaml:"rate" json:"rate"` // GB/s, the best of several runs
	Median     float64 `yaml:"median" json:"median"`
	Low        float64 `yaml:"low" json:"low"` // the first quartile
}

// Peak is the sustainable floating-point rate in GFLOP/s, as HPL measures it: fused multiply-adds of full vectors; 0: not known.
type Peak struct {
	Double float64 `yaml:"double,omitempty" json:"double,omitempty"`
	Single float64 `yaml:"single,omitempty" json:"single,omitempty"`
	Half   float64 `yaml:"half,omitempty" json:"half,omitempty"`
}

// Level is a level of memory.
type Level struct {
	Name        string  `yaml:"name" json:"name"`
	Bandwidth   float64 `yaml:"bandwidth,omitempty" json:"bandwidth,omitempty"`     // GB/s, STREAM triad from this level; 0: not known
	Size        float64 `yaml:"size,omitempty" json:"size,omitempty"`               // bytes; 0: not known, or main memory
	Uncertainty float64 `yaml:"uncertainty,omitempty" json:"uncertainty,omitempty"` // relative difference between the best bandwidth and the first quartile of the runs
	Latency     float64 `yaml:"latency,omitempty" json:"latency,omitempty"`         // load-to-use latency in cycles
	Ways        int     `yaml:"ways,omitempty" json:"ways,omitempty"`               // of a set; 0: not known
	Line        int     `yaml:"line,omitempty" json:"line,omitempty"`               // bytes; 0: not known
	Victim      bool    `yaml:"victim,omitempty" json:"victim,omitempty"`           // the level only holds lines evicted from the level before it
}

// memoryName is the common key of all names of main memory.
const memoryName = "memory"

// key makes the names of levels comparable: "l1d" and "L1", "DRAM" and "memory".
func key(name string) string {
	switch n := strings.ToLower(strings.TrimSpace(name)); n {
	case "mm", "dram", "ram", "main", "main memory", "mem", memoryName:
		return memoryName
	default:
		return strings.TrimSuffix(n, "d")
	}
}

// level finds a level by name; it returns nil for an unknown name.
func (m *Machine) level(name string) *Level {
	for i := range m.Levels {
		if key(m.Levels[i].Name) == key(name) {
			return &m.Levels[i]
		}
	}
	return nil
}

// Caches returns the levels before main memory. The error names a level of unknown size.
func (m *Machine) Caches() (out []Level, err error) {
	for _, l := range m.Levels {
		if key(l.Name) == memoryName {
			break
		}
		if l.Size == 0 {
			return nil, fmt.Errorf("machine %s does not say how large its %s is (size: bytes)", m.Name, l.Name)
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("machine %s has no caches", m.Name)
	}
	return out, nil
}

// names lists the levels.
func (m *Machine) names() string {
	var out []string
	for _, l := range m.Levels {
		out = append(out, l.Name)
	}
	return strings.Join(out, ", ")
}

// ReadMachine reads a machine file and checks it. name is for messages.
func ReadMachine(name string, text []byte) (*Machine, error) {
	m := &Machine{File: name}
	if err := yamlfile.Read(name, text, m, false); err != nil {
		return nil, err
	}
	if at, err := m.check(); err != nil {
		return nil, fmt.Errorf("%s%s: %w", name, lineOf(text, at), err)
	}
	return m, nil
}

// lineOf returns ":N" with the number of the first line that a pattern matches, "" if no line matches.
func lineOf(text []byte, pattern string) string {
	if pattern == "" {
		return ""
	}
	if at := regexp.MustCompile("(?m)" + pattern).FindIndex(text); at != nil {
		return fmt.Sprintf(":%d", 1+bytes.Count(text[:at[0]], []byte("\n")))
	}
	return ""
}

// check validates a machine; at is a pattern for the line of the error.
func (m *Machine) check() (at string, err error) {
	switch {
	case m.Name == "":
		return "", fmt.Errorf("the machine has no name (name: …)")
	case !(m.VectorBits >= 8 && m.VectorBits <= widest):
		return "vector_bits:", fmt.Errorf("vector_bits is %v; the width of its vectors in bits is needed, as 128", m.VectorBits)
	case m.Peak == Peak{}:
		return "^peak:", fmt.Errorf("no peak is given (peak: {double: GFLOP/s})")
	case m.Clock < 0:
		return "^clock:", fmt.Errorf("clock is %v GHz; a positive number is needed, or none", m.Clock)
	case m.Cores < 0:
		return "^cores:", fmt.Errorf("cores is %d; the number of cores that ran at the same time is needed, or none", m.Cores)
	case len(m.Levels) > maxLevels:
		return "^levels:", fmt.Errorf("more than %d levels of memory are given", maxLevels)
	case len(m.Levels) == 0:
		return "^levels:", fmt.Errorf("no levels of memory are given (levels: [{name: L1, bandwidth: GB/s, size: bytes}, …, {name: memory, bandwidth: GB/s}])")
	}
	for what, v := range map[string]float64{"double": m.Peak.Double, "single": m.Peak.Single, "half": m.Peak.Half} {
		if v != 0 && !positive(v) {
			return what + ":", fmt.Errorf("peak.%s is %v GFLOP/s; a positive number is needed", what, v)
		}
	}
	for i := range m.Levels {
		if err := m.checkLevel(i); err != nil {
			return `name: *["']?` + regexp.QuoteMeta(m.Levels[i].Name) + `\b`, err
		}
	}
	return "", nil
}

// maxLevels is the largest number of levels of memory; their names are compared with each other.
const maxLevels = 16

// checkLevel validates a level.
func (m *Machine) checkLevel(i int) error {
	l := &m.Levels[i]
	for _, before := range m.Levels[:i] {
		if key(before.Name) == key(l.Name) {
			return fmt.Errorf("level %s is there twice", l.Name)
		}
	}
	switch {
	case l.Name == "":
		return fmt.Errorf("level %d has no name", i+1)
	case l.Bandwidth != 0 && !positive(l.Bandwidth):
		return fmt.Errorf("bandwidth of level %s is %v GB/s; a positive number is needed, or none where it is not known", l.Name, l.Bandwidth)
	case l.Size != 0 && !positive(l.Size):
		return fmt.Errorf("size of level %s is %v bytes; a positive number is needed, or none", l.Name, l.Size)
	case l.Ways < 0:
		return fmt.Errorf("ways of level %s is %d; a number above 0 is needed, or none where it is not known", l.Name, l.Ways)
	case l.Line < 0:
		return fmt.Errorf("line of level %s is %d bytes; a number above 0 is needed, or none where it is not known", l.Name, l.Line)
	case l.Latency < 0:
		return fmt.Errorf("latency of level %s is %v cycles; a positive number is needed, or none where it is not known", l.Name, l.Latency)
	case l.Uncertainty < 0 || l.Uncertainty > 1:
		return fmt.Errorf("uncertainty of level %s is %v; a share from 0 to 1 is needed", l.Name, l.Uncertainty)
	case i > 0 && key(m.Levels[i-1].Name) == memoryName:
		return fmt.Errorf("level %s stands behind main memory: levels go from the core outwards", l.Name)
	}
	return nil
}

func positive(v float64) bool { return finite.Positive(v) }

// widest is the largest width of vectors that is taken, in bits: above that of all instruction sets (RISC-V allows 65,536).
const widest = 1 << 20

// peak returns the peak rate for elements of the given width.
func (m *Machine) peak(bits float64) (float64, error) {
	rates := map[float64]struct {
		name string
		rate float64
	}{64: {"double", m.Peak.Double}, 32: {"single", m.Peak.Single}, 16: {"half", m.Peak.Half}}
	r, ok := rates[bits]
	switch {
	case !ok:
		return 0, fmt.Errorf("elements of %v bits: 64, 32 or 16 are known", bits)
	case r.rate == 0:
		return 0, fmt.Errorf("machine %s has no peak for elements of %v bits (peak: {%s: GFLOP/s})", m.Name, bits, r.name)
	}
	return r.rate, nil
}

//go:embed machines/*.machine
var shipped embed.FS

// Names lists the machines that incore ships.
func Names() (out []string) {
	files, _ := fs.Glob(shipped, "machines/*.machine")
	for _, f := range files {
		out = append(out, strings.TrimSuffix(path.Base(f), ".machine"))
	}
	slices.Sort(out)
	return out
}

// Shipped is a machine that incore ships, by name.
func Shipped(name string) (*Machine, error) {
	text, err := shipped.ReadFile("machines/" + strings.ToLower(name) + ".machine")
	if err != nil {
		return nil, fmt.Errorf("no machine is called %q, and no such file is there; known are %s", name, strings.Join(Names(), ", "))
	}
	return ReadMachine(name, text)
}
