package core

import (
	"context"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// Probes lists what can be found, in the order in which later ones build on earlier.
func Probes(t *Target) []Probe {
	out := []Probe{width()}
	for _, st := range t.structures {
		out = append(out, depth(st))
	}
	return append(out, latencies(), eliminated(), idioms(), fusion(), microFusion(), stackEngine(), opCache(), instCache(), branches())
}

// Run runs probes one after another and hands on what each found. done names probes that are not run again.
func Run(ctx context.Context, t *Target, run Runner, probes []Probe, found func(Probe, []Finding) error) error {
	s := &session{t: t, run: run, parse: map[string]isa.Inst{}}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	for _, p := range probes {
		f, err := p.run(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if err := found(p, f); err != nil {
			return err
		}
	}
	return nil
}

// prepare measures what all probes need: the chains and the dispatch width.
func (s *session) prepare(ctx context.Context) error {
	k := chainLengths[0]
	v, _, err := s.cycles(ctx, Program{rep(s.t.Chain, k)})
	if err == nil {
		var both float64
		both, _, err = s.cycles(ctx, s.hidden(&structure{fillers: []string{s.t.Nop}}, k, 0))
		if err == nil && both < hidesWell*v {
			s.lat = v / float64(k)
		}
	}
	if err != nil && err != errNoFigure {
		return err
	}
	_, err = width().run(ctx, s)
	return err
}

// hidesWell is how much longer than one chain two side by side may take.
const hidesWell = 1.15

// Write writes findings as lines of a file of results: a comment with each curve, the parameter if it was found and models have it,
// else a comment that says why not.
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

// Done reads from a file of results which probes are done.
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

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
