package analyze

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"incore/internal/foreign/perfdata"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/report"
)

// recording is what a file of perf's tells beyond the samples' places.
type recording struct {
	data     *perfdata.Data
	arrivals map[arrival]*passes
	others   map[place]map[int]float64 // samples of events other than that which counts, by place and event
	totals   map[int]float64           // of these events
}

// arrival is an address at which branches arrive again and again, with the range of the branches between two arrivals; offsets in a file.
type arrival struct {
	object     string
	to, lo, hi uint64
}

// passes counts the times between two arrivals.
type passes struct {
	n, cycles    float64
	counts       map[uint32]int // cycles → how often; those of at most maxCounted different times
	mispredicted float64
}

const maxCounted = 1 << 12

// readPerf reads a file of perf's. The samples of one event count: the first that measures time, or the first that has any. On machines with cores of two kinds it has a
// counter on each, which perf records as two events.
func readPerf(in io.Reader) (*Profile, error) {
	p := &Profile{Kind: "perf.data", places: map[place]float64{}, objects: map[string]float64{}, ids: map[string]string{}}
	rec := &recording{arrivals: map[arrival]*passes{}, others: map[place]map[int]float64{}, totals: map[int]float64{}}
	byEvent := map[int]map[place]float64{}
	maps := map[*perfdata.Map]bool{}
	data, err := perfdata.Read(in, func(s *perfdata.Sample) {
		at := place{object: "[unknown]", offset: true}
		if s.Map != nil {
			maps[s.Map] = true
			at.object, at.addr = s.Map.Path, s.Map.FileOffset(s.IP)
		}
		if byEvent[s.Event] == nil {
			byEvent[s.Event] = map[place]float64{}
		}
		byEvent[s.Event][at] += float64(max(1, s.Period))
		rec.branches(s, maps)
	})
	if err != nil {
		return nil, err
	}
	p.recording, rec.data = rec, data
	for m := range maps {
		if id := data.BuildID(m); id != "" {
			p.ids[m.Path] = id
		}
	}
	main := mainEvents(data.Events, func(e int) bool { return len(byEvent[e]) > 0 })
	for e, places := range byEvent {
		for at, n := range places {
			if main[e] {
				p.add(at, n)
				continue
			}
			if rec.others[at] == nil {
				rec.others[at] = map[int]float64{}
			}
			rec.others[at][e] += n
			rec.totals[e] += n
		}
	}
	if p.total == 0 {
		return nil, fmt.Errorf("holds no samples")
	}
	return p, nil
}

// timeEvents are the events that measure time.
var timeEvents = []string{"cycles", "cpu-cycles", "ref-cycles", "cpu-clock", "task-clock"}

// mainEvents returns the events whose samples are the time: the first with samples that measures time, or the first with samples, and those of the same name on other counters.
func mainEvents(events []perfdata.Event, sampled func(int) bool) map[int]bool {
	first := -1
	for e := range events {
		if !sampled(e) {
			continue
		}
		name, _ := plainEvent(events[e].Name)
		if slices.Contains(timeEvents, name) {
			first = e
			break
		}
		if first < 0 {
			first = e
		}
	}
	main := map[int]bool{}
	for e := range events {
		if first >= 0 && sampled(e) {
			name, modifiers := plainEvent(events[e].Name)
			of, with := plainEvent(events[first].Name)
			main[e] = name == of && modifiers == with
		}
	}
	return main
}

// plainEvent returns the name of an event without the unit that counts it, and the modifiers: "cycles" and "u" for "cycles:u" and "cpu_core/cycles/u". Arm's units write
// cpu_cycles.
func plainEvent(s string) (name, modifiers string) {
	if unit := strings.Split(s, "/"); len(unit) == 3 {
		name, modifiers = unit[1], unit[2]
	} else {
		name, modifiers, _ = strings.Cut(s, ":")
	}
	return strings.ReplaceAll(name, "_", "-"), strings.TrimPrefix(modifiers, ":")
}

// branches adds the times between arrivals at the same address that a sample's branch stack tells.
func (r *recording) branches(s *perfdata.Sample, maps map[*perfdata.Map]bool) {
	b := s.Branches
	if len(b) < 2 || s.MapOf == nil {
		return
	}
	for old := len(b) - 1; old > 0; old-- { // from the oldest on
		m := s.MapOf(b[old].To)
		if m == nil {
			continue
		}
		a := arrival{object: m.Path, to: m.FileOffset(b[old].To), lo: ^uint64(0)}
		cycles, wrong, known := uint32(0), 0.0, true
		for i := old - 1; i >= 0; i-- {
			if b[i].From < m.Start || b[i].From >= m.End || b[i].To < m.Start || b[i].To >= m.End {
				break // leaves the file: no way round a loop
			}
			a.lo, a.hi = min(a.lo, m.FileOffset(b[i].From), m.FileOffset(b[i].To)), max(a.hi, m.FileOffset(b[i].From), m.FileOffset(b[i].To))
			cycles += uint32(b[i].Cycles)
			if known = known && b[i].Cycles > 0; b[i].Mispredicted {
				wrong++
			}
			if b[i].To == b[old].To {
				if known {
					maps[m] = true
					r.pass(a, cycles, wrong)
				}
				break
			}
		}
	}
}

func (r *recording) pass(a arrival, cycles uint32, wrong float64) {
	x := r.arrivals[a]
	if x == nil {
		x = &passes{counts: map[uint32]int{}}
		r.arrivals[a] = x
	}
	x.n++
	x.cycles += float64(cycles)
	x.mispredicted += wrong
	if _, ok := x.counts[cycles]; ok || len(x.counts) < maxCounted {
		x.counts[cycles]++
	}
}

// measured returns what branch stacks tell of a loop in a file: nil if too few of its iterations are in them.
func (r *recording) measured(f *object.File, of string, l *object.Loop) *report.Measured {
	const few = 20
	lo, hi := l.Range()
	sum := passes{counts: map[uint32]int{}}
	for a, x := range r.arrivals {
		to, ok := f.AddrOf(a.to)
		if a.object != of || !ok || to != l.Addr() {
			continue
		}
		if first, ok := f.AddrOf(a.lo); !ok || first < lo || first-lo+(a.hi-a.lo) >= hi-lo {
			continue // it leaves the loop on its way
		}
		sum.n += x.n
		sum.cycles += x.cycles
		sum.mispredicted += x.mispredicted
		for c, n := range x.counts {
			sum.counts[c] += n
		}
	}
	if sum.n < few {
		return nil
	}
	return &report.Measured{Cycles: report.Round(sum.cycles / sum.n), Median: float64(sum.median()), Iterations: int(sum.n), Mispredicted: report.Round(sum.mispredicted / sum.n)}
}

func (x *passes) median() uint32 {
	var all []uint32
	total := 0
	for c, n := range x.counts {
		all = append(all, c)
		total += n
	}
	slices.Sort(all)
	seen := 0
	for _, c := range all {
		if seen += x.counts[c]; 2*seen >= total {
			return c
		}
	}
	return 0
}

// Suits returns an error if a profile is of another instruction set than a file, or of another build of it.
func (p *Profile) Suits(f *object.File) error {
	if p.recording != nil {
		arch := p.recording.data.Arch
		if a := catalog.ISA(arch); arch != "" && f.ISA != nil && a != f.ISA {
			return fmt.Errorf("the profile was recorded on a machine of %s; %s is for %s", arch, f.Path, f.ISA.Name)
		}
	}
	of := p.objectOf(f)
	if id := p.ids[of]; of != "" && id != "" && f.BuildID() != "" && id != f.BuildID() {
		return fmt.Errorf("the profile is of another build of %s: the build id of %s was %s, that of the file is %s; record it again, or give the file of that build", f.Path, of, id, f.BuildID())
	}
	return nil
}

// Machine returns the model of the machine on which a profile was recorded, "" if it is not known.
func (p *Profile) Machine() (name, why string) {
	if p == nil || p.recording == nil {
		return "", ""
	}
	if name, ok := machine.Recorded(p.recording.data.CPUID); ok {
		return name, "the machine of the profile (" + cmp.Or(p.recording.data.CPU, p.recording.data.CPUID) + ")"
	}
	return "", ""
}

// notes are what a user should know of a recording.
func (p *Profile) notes() (out []report.Diagnostic) {
	if p.recording == nil {
		return nil
	}
	d := p.recording.data
	if d.Cut != nil {
		out = append(out, report.Diagnostic{Severity: "warning", Message: "the profile " + d.Cut.Error() + ": what comes before counts"})
	}
	if d.Lost > 0 {
		out = append(out, report.Diagnostic{Severity: "note", Message: fmt.Sprintf("samples or records of the profile that the kernel lost: %d", d.Lost)})
	}
	if d.Unknown > 0 {
		out = append(out, report.Diagnostic{Severity: "note", Message: fmt.Sprintf("records of the profile that are left out, since their kinds are not known (a newer perf%s): %d", after(", ", d.Version), d.Unknown)})
	}
	return out
}

// after returns a text behind another; "" if there is none.
func after(sep, s string) string {
	if s == "" {
		return ""
	}
	return sep + s
}

// eventsIn returns the events other than the one that counts with their share in some places, the greatest first.
func (r *recording) eventsIn(samples map[int]float64) (out []report.EventShare) {
	for e, n := range samples {
		out = append(out, report.EventShare{Event: r.data.Events[e].Name, Share: report.Round(n / r.totals[e])})
	}
	slices.SortFunc(out, func(a, b report.EventShare) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Event, b.Event))
	})
	return out
}

// tell adds to loops what a recording tells beside the samples: their measured cycles, and their share of other events.
func (r *recording) tell(find *loopFinder, found []*foundLoop, byFunction map[*object.Function][]*foundLoop, of string) {
	if len(r.arrivals) > 0 {
		var hot []*foundLoop
		for _, l := range found {
			if l.info.Innermost && l.info.Share > 0 {
				hot = append(hot, l)
			}
		}
		find.again(hot)
		for _, l := range hot {
			l.info.Measured = r.measured(find.file, of, l.loop)
		}
	}
	samples := map[*foundLoop]map[int]float64{}
	for at, by := range r.others {
		addr, ok := find.file.AddrOf(at.addr)
		if at.object != of || !ok {
			continue
		}
		fn := find.file.At(addr)
		for _, l := range byFunction[fn] {
			if find.again(byFunction[fn]); l.holds(addr) {
				if samples[l] == nil {
					samples[l] = map[int]float64{}
				}
				for e, n := range by {
					samples[l][e] += n
				}
				break
			}
		}
	}
	for l, by := range samples {
		l.info.Events = r.eventsIn(by)
	}
}
