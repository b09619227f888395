package machine

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"incore/internal/isa"
)

// Origin is the kind of source that a figure rests on.
type Origin int

// The kinds of sources, best first.
const (
	Measured   Origin = iota // on the core, by this tool or in published measurements
	UopsInfo                 // uops.info
	Vendor                   // guides of the core's vendor, and papers
	LLVM                     // LLVM's scheduling model of the core
	BorrowedOf               // another core's model
	NoSource                 // no data: an interval over similar forms
	NumOrigins
)

var originNames = [NumOrigins]string{"measured", "uops.info", "vendor, papers", "llvm", "borrowed", "unknown"}

func (o Origin) String() string { return originNames[o] }

// Checked is what Check finds in a model.
type Checked struct {
	Forms int // of the ISA, without pseudo instructions
	// Uops and Latencies count the forms by the source of their µops and of their latency.
	Uops, Latencies [NumOrigins]int
	Params          []Fact // with their sources
	Unread          []Fact // the parameters that no part of the program reads: their names may be misspelt
	Suspicious      []Suspicion
}

// Suspicion is a row whose figures do not fit together.
type Suspicion struct {
	File string
	Line int
	Form string // the first form that it concerns
	N    int    // forms that it concerns
	Why  string
}

func (s *Suspicion) String() string {
	more := ""
	if s.N > 1 {
		more = fmt.Sprintf(" and %d more", s.N-1)
	}
	return fmt.Sprintf("%s:%d: %s%s: %s", s.File, s.Line, s.Form, more, s.Why)
}

// Check counts the sources of a model's figures and lists rows that contradict themselves. The model must be valid for the ISA (Validate).
func (m *Model) Check(a *isa.ISA) *Checked {
	out := &Checked{Params: m.Facts, Unread: m.unread()}
	c, record := m.compile(a), m.record(a)
	at := map[[2]any]int{} // row and reason → suspicion
	for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
		if a.Forms.Flags(f)&isa.Pseudo != 0 {
			continue
		}
		out.Forms++
		r := c.lookup(&isa.Inst{Form: f})
		if r.uops == nil || r.lat == nil {
			out.Uops[NoSource]++
			out.Latencies[NoSource]++
			continue
		}
		out.Uops[r.from[0].origin()]++
		if math.IsNaN(r.lat.lat.source()) {
			out.Latencies[NoSource]++
		} else {
			out.Latencies[r.from[1].origin()]++
		}
		row, why := m.suspect(a, f, &r)
		if why == "" {
			row, why = m.suspectIndexed(a, c, f)
		}
		if why == "" {
			row, why = record.suspectClaim(a, f, &r)
		}
		if why == "" {
			continue
		}
		key := [2]any{row, why}
		if i, ok := at[key]; ok {
			out.Suspicious[i].N++
			continue
		}
		at[key] = len(out.Suspicious)
		out.Suspicious = append(out.Suspicious, Suspicion{row.file, row.line, a.Forms.Name(f), 1, why})
	}
	_, flat := m.Placeholders(a)
	for _, s := range flat {
		key := [2]any{s.File, s.Line}
		if i, ok := at[key]; ok {
			out.Suspicious[i].N++
			continue
		}
		at[key] = len(out.Suspicious)
		out.Suspicious = append(out.Suspicious, *s)
	}
	return out
}

// unread lists the parameters that no part of the program reads, except the unused ones of LLVM's models and of incore bench.
func (m *Model) unread() (out []Fact) {
	fields := paramFields(&Params{})
	for _, f := range m.Facts {
		_, field := fields[f.Name]
		switch {
		case field, OptionNamed(f.Name) != nil, slices.Contains([]string{"cpus", "fuses"}, f.Name):
		case strings.HasPrefix(f.Name, schedulerPrefix), strings.HasPrefix(f.Name, LimitPrefix):
		default:
			out = append(out, f)
		}
	}
	return out
}

// Misspelt lists the entries of a model's own file, without its bases, that have no effect: rows of forms that the ISA does not have, and parameters
// that nothing reads.
func (m *Model) Misspelt(a *isa.ISA) (out []error) {
	if n := len(m.rows.layers); n > 0 && a.Name == m.ISA {
		out = m.rows.layers[n-1].validate(a)
	}
	for _, f := range m.unread() {
		out = append(out, fmt.Errorf("%s: nothing reads the parameter '%s' (%s)", m.Name, f.Name, ParamHint(f.Name)))
	}
	return out
}

// ParamHint suggests the known parameters with the most similar names.
func ParamHint(name string) string {
	return nearestHint(name, append(keys(paramFields(&Params{})), OptionNames(false)...))
}

// origin is the kind of source of a row on the core of the model.
func (r *row) origin() Origin {
	if r.borrowed {
		return BorrowedOf
	}
	return r.own()
}

// own is the kind of source of a row on the core that it comes from.
func (r *row) own() Origin {
	s := r.source
	switch {
	case strings.HasPrefix(s, "llvm "):
		return LLVM
	case strings.HasPrefix(s, "uops.info "):
		return UopsInfo
	case strings.HasPrefix(s, "unknown"):
		return NoSource
	case strings.HasPrefix(s, "measured"), strings.HasPrefix(s, "winic "), strings.Contains(s, ", measured"):
		return Measured
	}
	return Vendor
}

// suspect returns the row of a form that contradicts itself, and the contradiction; "" if there is none.
func (m *Model) suspect(a *isa.ISA, f isa.FormID, r *found) (*row, string) {
	listed, fullest := listed(r.uops), 0.0
	for _, u := range r.uops.uops {
		if !u.Resource && u.Ports != 0 {
			fullest = max(fullest, u.Cycles/float64(bits.OnesCount64(uint64(u.Ports))))
		}
	}
	lat := r.lat.lat.source()
	switch {
	case lat == 0 && listed > 0 && a.Forms.NumDefs(f) > 0 && r.flags&(ZeroIdiom|MoveElim) == 0 && a.Forms.Flags(f)&(isa.Branch|isa.MayStore) == 0 && len(r.lat.lat.pairs) == 0:
		return r.lat, "a result takes 0 cycles, although a port is taken and nothing says that rename makes it"
	case r.rthru != nil && r.rthru.rthru > 0 && r.rthru.rthru < 0.9*fullest:
		return r.rthru, fmt.Sprintf("stated throughput of %g cycles, but the ports allow no less than %g", r.rthru.rthru, fullest)
	case m.Core().MicroFusion && strings.HasPrefix(r.uops.source, "uops.info ") && !math.IsNaN(r.uops.count) && int(r.uops.count) != listed:
		return r.uops, fmt.Sprintf("counts %g µops, lists %d", r.uops.count, listed)
	case !math.IsNaN(r.lat.lat.load) && !math.IsNaN(lat) && r.lat.lat.load > lat && len(r.lat.lat.defs) > 0 && a.Forms.Flags(f)&isa.MayStore == 0:
		return r.lat, fmt.Sprintf("the load's part is %g of %g cycles", r.lat.lat.load, lat)
	}
	return nil, ""
}
