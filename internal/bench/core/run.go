package core

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// Probes lists all probes, in the order in which later ones use the results of earlier ones.
func Probes(t *Target) []Probe {
	out := []Probe{width()}
	for _, st := range t.structures {
		out = append(out, depth(st))
	}
	return append(out, latencies(), eliminated(), idioms(), fusion(), microFusion(), moveFusion(), stackEngine(), opCache(), instCache(), branches(), fetch(), steering(), vectors(), effects(), pairs())
}

// Run runs probes one after another and passes on the result of each.
func Run(ctx context.Context, t *Target, m Machine, probes []Probe, found func(Probe, []Finding) error) error {
	return probing(ctx, t, m, probes, watching{func(Probe) {}, found})
}

// Programs passes on the programs that probes run on a machine, with the probe's name; "chains and width" names the programs
// that all probes need.
func Programs(ctx context.Context, t *Target, m Machine, probes []Probe, one func(probe string, insts []isa.Inst) error) error {
	name := "chains and width"
	played := m
	played.Straight = func(ctx context.Context, insts []isa.Inst) (float64, float64, error) {
		if err := one(name, insts); err != nil {
			return 0, 0, err
		}
		return m.Straight(ctx, insts)
	}
	if m.Loop != nil {
		played.Loop = func(ctx context.Context, body []isa.Inst, offset int) (float64, float64, error) {
			if err := one(name, body); err != nil {
				return 0, 0, err
			}
			return m.Loop(ctx, body, offset)
		}
	}
	return probing(ctx, t, played, probes, watching{func(p Probe) { name = p.Name }, func(Probe, []Finding) error { return nil }})
}

// watching holds the functions that are called before a probe runs, and with its findings.
type watching struct {
	begin func(Probe)
	found func(Probe, []Finding) error
}

// probing runs probes one after another.
func probing(ctx context.Context, t *Target, m Machine, probes []Probe, w watching) error {
	s := &session{t: t, m: &m, parse: map[string]isa.Inst{}}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	for _, p := range probes {
		w.begin(p)
		f, err := p.run(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if err := w.found(p, f); err != nil {
			return err
		}
	}
	return nil
}

// prepare measures the inputs of all probes: the chains and the dispatch width.
func (s *session) prepare(ctx context.Context) error {
	for _, s.chains = range s.t.chains {
		if err := s.hides(ctx); err != nil && err != errNoFigure {
			return err
		}
		if s.lat >= minLink {
			break
		}
	}
	_, err := width().run(ctx, s)
	return err
}

// hides finds whether the two chains run in parallel, and the latency of a link of the faster one.
func (s *session) hides(ctx context.Context) error {
	s.lat = 0
	var cycles [3]float64 // per link of both chains together, and of each alone
	for i, links := range [][2]int{{1, 1}, {1, 0}, {0, 1}} {
		var at [2]float64
		for j, k := range chainLengths {
			v, _, err := s.cycles(ctx, s.chained(k*links[0], k*links[1], nil))
			if err != nil {
				return err
			}
			at[j] = v
		}
		// joining the chains takes equally long in both lengths
		cycles[i] = (at[1] - at[0]) / float64(chainLengths[1]-chainLengths[0])
	}
	if cycles[0] < hidesWell*max(cycles[1], cycles[2]) {
		s.lat = min(cycles[1], cycles[2])
	}
	return nil
}

// hidesWell is the largest ratio of the time of both chains in parallel to that of the slower one alone.
const hidesWell = 1.15

// Write writes findings as lines of a file of results: a comment with each curve, and the parameter if it was found and models have it; else a
// comment with the reason.
func Write(w io.Writer, p Probe, fs []Finding, source string) error {
	var b strings.Builder
	for _, f := range fs {
		for _, c := range f.Curves {
			fmt.Fprintf(&b, "# curve %s (%s: cycles):", c.Name, c.X)
			for _, q := range c.Points {
				fmt.Fprintf(&b, " %d:%s", q.X, strconv.FormatFloat(q.Cycles, 'g', 5, 64))
			}
			b.WriteByte('\n')
		}
		switch {
		case f.Value == "":
			fmt.Fprintf(&b, "# core %s: not found; %s\n", f.Name, f.How)
		case f.Feature:
			fmt.Fprintf(&b, "feature %s: %s  # %s: %s\n", f.Name, f.Value, source, f.How)
		case f.Fact && f.Name == "fuses":
			fmt.Fprintf(&b, "fuses: %s  # %s: %s\n", f.Value, source, f.How)
		case f.Fact:
			fmt.Fprintf(&b, "param %s: %s  # %s: %s\n", f.Name, f.Value, source, f.How)
		default:
			fmt.Fprintf(&b, "# core %s: %s; %s\n", f.Name, f.Value, f.How)
		}
	}
	fmt.Fprintf(&b, "# core probe %s is done\n", p.Name)
	_, err := io.WriteString(w, b.String())
	return err
}

// Done returns the probes that a file of results contains.
func Done(text string) map[string]bool {
	done := map[string]bool{}
	for _, l := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(l, "# core probe "); ok {
			if name, ok := strings.CutSuffix(rest, " is done"); ok {
				done[name] = true
			}
		}
	}
	return done
}
