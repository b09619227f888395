package roofs

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"incore/internal/bench/feature"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/program/cachesim"
	"incore/internal/roofline"
)

// Options of Measure.
type Options struct {
	Name     string
	CPUs     []int // CPUs that run at the same time; nil: one, chosen by the system
	Progress func(what string)
}

// Sizes and times of tests.
const (
	sampleTime = 1.5e-3 // seconds
	samples    = 40
	memoryLike = 4 // size of arrays in memory, relative to the last cache
	leastLarge = 96 << 20
	steady     = 0.8 // a triad whose first quartile is below this share of the best is measured again …
	rounds     = 2   // … so often
)

// Measure measures the roofs of this machine.
func Measure(ctx context.Context, a *isa.ISA, o Options) (*roofline.Machine, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "incore-roofs-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &runner{ctx: ctx, isa: a, dir: dir}
	if len(o.CPUs) > 0 {
		r.cpus = o.CPUs[:1]
	}
	say := func(format string, args ...any) {
		if o.Progress != nil {
			o.Progress(fmt.Sprintf(format, args...))
		}
	}
	m := &roofline.Machine{Name: o.Name, Title: cpuName(), Sources: map[string]string{}, Cores: max(1, len(o.CPUs))}
	system, _ := cachesim.Host()
	known := int64(0)
	if len(system) > 0 {
		known = int64(system[len(system)-1].Size)
	}
	scan, err := r.scan(known, func(done, of int) { say("latency: %d of %d sizes", done, of) })
	if err != nil {
		return nil, err
	}
	seen := caches(scan)
	found, doubts := reconcile(seen, system, scan)
	r.cpus = o.CPUs
	if err := r.peaks(m, say); err != nil {
		return nil, err
	}
	if err := r.bandwidths(m, found, system, scan[len(scan)-1].cycles, say); err != nil {
		return nil, err
	}
	say("")
	who := "one core"
	if len(o.CPUs) > 1 {
		who = fmt.Sprintf("%d cores at the same time, %v", len(o.CPUs), o.CPUs)
	}
	if core, _, ok := machine.Host(); ok {
		m.Core = core
		m.Sources["core"] = "what CPUID says"
	}
	m.Sources["peak"] = "measured by incore roofline measure, " + who + ": independent fused multiply-adds of the widest vectors"
	m.Sources["memory"] = "measured by incore roofline measure, " + who + ": STREAM triad with 24 bytes an element, the best of several runs, arrays that fit the level"
	m.Sources["sizes"] = "measured: where the latency of dependent loads at random places of larger and larger memory rises, " + foundSizes(seen) + systemSays(system) + doubts
	return m, nil
}

// foundSizes lists the sizes found.
func foundSizes(found []Found) string {
	var out []string
	for i, f := range found {
		out = append(out, fmt.Sprintf("L%d %.0f KiB", i+1, f.Size/1024))
	}
	return strings.Join(out, ", ")
}

// systemSays lists the caches that the system reports.
func systemSays(levels []cachesim.Level) string {
	var out []string
	for _, l := range levels {
		out = append(out, fmt.Sprintf("%s %d KiB", l.Name, l.Size>>10))
	}
	if len(out) == 0 {
		return ""
	}
	return "; the system says, and is believed where that is within half as much again, " + strings.Join(out, ", ")
}

// usable returns the vector widths of this machine.
func usable() (out []width) {
	for _, w := range widths {
		if w.need == "sse2" || feature.Here().Has(w.need) && (w.bits == 512 || feature.Here().Has("fma")) {
			out = append(out, w)
		}
	}
	return out
}

// time runs a body until a sample is long enough, and returns its rate.
func (r *runner) time(t test, work float64) (Figure, error) {
	t.passes, t.samples = 1, 4
	first, err := r.run(t, nil)
	if err != nil {
		return Figure{}, err
	}
	t.passes = int64(math.Max(1, math.Round(sampleTime/math.Max(first[0][len(first[0])-1].seconds, 1e-9))))
	t.samples = samples
	if t.passes == 1 { // long ones
		t.samples = samples / 2
	}
	all, err := r.run(t, nil)
	if err != nil {
		return Figure{}, err
	}
	return rate(all, work*float64(t.passes)), nil
}

// peaks measures floating-point rates.
func (r *runner) peaks(m *roofline.Machine, say func(string, ...any)) error {
	fma := feature.Here().Has("fma")
	for _, w := range usable() {
		for _, e := range elements {
			for _, mulAdd := range []bool{true, false} {
				if mulAdd && !fma || !mulAdd && w.avx {
					continue
				}
				say("peak: %d bits, %s", w.bits, e.name)
				body, flops := w.peak(e, mulAdd)
				f, err := r.time(test{bytes: pageSize, prepare: func(p *program) { w.constants(e)(p); w.zero(p) }, body: body}, flops)
				if err != nil {
					return err
				}
				op := "fma"
				if !mulAdd {
					op = "mul, add"
				}
				m.Peaks = append(m.Peaks, roofline.PeakRow{Precision: e.name, VectorBits: float64(w.bits), Operations: op, Rate: round(f.Best), Median: round(f.Median), Clock: round(f.Clock)})
				m.VectorBits = math.Max(m.VectorBits, float64(w.bits))
				m.Clock = math.Max(m.Clock, round(f.Clock))
				if e.bits == 64 {
					m.Peak.Double = math.Max(m.Peak.Double, round(f.Best))
				} else {
					m.Peak.Single = math.Max(m.Peak.Single, round(f.Best))
				}
			}
		}
	}
	return nil
}

// bandwidths measures the bandwidth of each level.
func (r *runner) bandwidths(m *roofline.Machine, found []Found, system []cachesim.Level, memory float64, say func(string, ...any)) error {
	last := float64(leastSize)
	for i := 0; i <= len(found); i++ {
		l := roofline.Level{Name: "memory", Latency: round(memory)}
		total := math.Max(memoryLike*last, leastLarge) * 2
		if i < len(found) {
			l.Name, l.Size, l.Latency = fmt.Sprintf("L%d", i+1), found[i].Size, round(found[i].Cycles)
			if i < len(system) {
				l.Ways, l.Line = system[i].Ways, system[i].Line
			}
			total = math.Min(math.Sqrt(2*last*l.Size), l.Size/2)
			if i == 0 {
				total = l.Size / 2
			}
			last = l.Size
		}
		total = math.Min(total, arrayMost-1<<20)
		for _, w := range usable() {
			for _, op := range operations {
				if op.name == "nontemporal" && (w.bits == 0 || l.Name != "memory") {
					continue
				}
				say("bandwidth: %s, %s, %d bits", l.Name, op.name, w.bits)
				f, err := r.stream(w, op.name, total, op.loads+op.stores)
				for round := 0; err == nil && op.name == "triad" && f.Low < steady*f.Best && round < rounds; round++ {
					var more Figure
					if more, err = r.stream(w, op.name, total, op.loads+op.stores); more.Best > f.Best {
						f = more
					}
				}
				if err != nil {
					return err
				}
				row := roofline.BandwidthRow{Level: l.Name, Operation: op.name, VectorBits: float64(w.bits), Rate: round(f.Best), Median: round(f.Median), Low: round(f.Low)}
				m.Bandwidths = append(m.Bandwidths, row)
				if op.name == "triad" && row.Rate > l.Bandwidth {
					l.Bandwidth, l.Uncertainty = row.Rate, round((f.Best-f.Low)/f.Best)
				}
			}
		}
		m.Levels = append(m.Levels, l)
	}
	return nil
}

// near reports whether a measured size agrees with the reported one: the steps of the search are a quarter of an octave.
func near(found, says float64) bool { return found > says/1.5 && found < says*1.5 }

// stream measures one operation on arrays with a total size in bytes.
func (r *runner) stream(w width, op string, total float64, arrays int) (Figure, error) {
	block := w.bytes() * unroll
	n := int64(total/float64(arrays)) / block * block
	stride := (n+pageSize-1)/pageSize*pageSize + 1344 // so that the arrays have different offsets in their pages
	if n < 4*pageSize {
		stride = (n + line - 1) / line * line
	}
	return r.time(test{bytes: stride*int64(arrays-1) + n, prepare: w.constants(elements[0]), body: w.stream(op, n, stride)}, float64(n)*float64(arrays))
}

func round(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// cpuName returns the system's name of the CPU.
func cpuName() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	says := map[string]string{}
	for _, l := range strings.Split(string(text), "\n") {
		if k, v, ok := strings.Cut(l, ":"); ok && says[strings.TrimSpace(k)] == "" {
			says[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return fmt.Sprintf("%s (%s family %s model %s)", says["model name"], says["vendor_id"], says["cpu family"], says["model"])
}
