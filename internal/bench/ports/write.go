package ports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"incore/internal/analysis/uops"
	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// ModelMap returns the µops of form i in a model, without those of its helpers: µops with fewer ports than the core is wide,
// as sets of the model's ports. A µop that keeps its port busy for n cycles counts n times, because mixes cannot distinguish
// the two. ok is false if the model does not know the form.
func (s *Subjects) ModelMap(i int, m *machine.Model, width float64) (out Map, ok bool) {
	p, err := s.Target.Mix([]plan.Part{{Subject: s.list[i], N: 1}}, 1)
	if err != nil {
		return nil, false
	}
	k := &isa.Kernel{ISA: s.Target.ISA, Loop: true}
	for i := range p.Insts {
		k.Lines = append(k.Lines, isa.Line{Inst: p.Insts[i], No: i + 1})
	}
	in := &uops.Bind(m, k).Insts[len(s.Forms[i].With)]
	if in.Flags&machine.Unknown != 0 {
		return nil, false
	}
	for _, u := range in.Uops {
		set := Set(u.Ports)
		if set == 0 || u.Resource || float64(set.Size()) > width-0.5 {
			continue
		}
		for range max(1, int(math.Round(u.Cycles))) {
			out = append(out, set)
		}
	}
	return out, true
}

// Named is an inference with port names of a model.
type Named struct {
	*Inference
	Subjects *Subjects
	Model    *machine.Model
	To       []int // port of the model, by port; -1: it has none like it, and the port gets a new name
	known    []Map // the model's maps, by form; nil where it has none
	has      []bool
}

// Name gives ports the names under which the most forms have the µops of a model.
func Name(inf *Inference, s *Subjects, m *machine.Model) *Named {
	n := &Named{Inference: inf, Subjects: s, Model: m, known: make([]Map, len(inf.Forms)), has: make([]bool, len(inf.Forms))}
	var ours, theirs []Map
	for i := range inf.Forms {
		if i == 0 {
			continue
		}
		if n.known[i], n.has[i] = s.ModelMap(i, m, inf.Width); n.has[i] && inf.Forms[i].Explained {
			ours, theirs = append(ours, inf.Forms[i].Uops), append(theirs, n.known[i])
		}
	}
	n.To = kin(ours, theirs, Align(ours, theirs, inf.Ports, len(m.Ports)))
	return n
}

// kinship is the least share of the forms with a µop on a port that have one on the model's port as well: a core may have more ports of a kind than the model, and the
// name of a port of another kind would have them hinder each other.
const kinship = 0.25

// kin takes away the names of ports that are used for other forms in the model.
func kin(ours, theirs []Map, to []int) []int {
	out := slices.Clone(to)
	for i, j := range to {
		if j < 0 {
			continue
		}
		uses, both := 0, 0
		for f := range ours {
			if ours[f].has(i) {
				uses++
				if theirs[f].has(j) {
					both++
				}
			}
		}
		if float64(both) < kinship*float64(uses) {
			out[i] = -1
		}
	}
	return out
}

// has reports whether a µop of a map may use a port.
func (m Map) has(port int) bool {
	return slices.ContainsFunc(m, func(s Set) bool { return s>>port&1 != 0 })
}

// Port returns the name of a port: the model's, or a new one.
func (n *Named) Port(i int) string {
	if n.To[i] >= 0 {
		return n.Model.Ports[n.To[i]].Name
	}
	for name := fmt.Sprintf("NEW%d", i); ; name += "_" {
		if !slices.ContainsFunc(n.Model.Ports, func(p machine.Port) bool { return p.Name == name }) {
			return name
		}
	}
}

// Grown lists the new names.
func (n *Named) Grown() (names []string) {
	for i, j := range n.To {
		if j < 0 {
			names = append(names, n.Port(i))
		}
	}
	return names
}

// Agrees reports whether form i has the µops of the model; known is false if the model does not know the form or nothing was inferred.
func (n *Named) Agrees(i int) (agrees, known bool) {
	r := &n.Forms[i]
	if !n.has[i] || !r.Explained {
		return false, false
	}
	m, ok := r.Uops.Renamed(n.To)
	return ok && m.equal(n.known[i]), true
}

// uop is a µop as in a row: a count, a port set and the busy cycles.
type uop struct {
	ports     Set
	n, cycles int
}

// uopsOf groups a map: equal µops together, and if there are more than dispatch slots, fewer µops that keep their port busy for longer.
func uopsOf(m Map, slots int) []uop {
	var out []uop
	for _, s := range m.Sorted() {
		if k := len(out) - 1; k >= 0 && out[k].ports == s {
			out[k].n++
		} else {
			out = append(out, uop{s, 1, 1})
		}
	}
	for i := range out {
		if rest := slots - (len(out) - 1); len(m) > slots && out[i].n > max(1, rest) && out[i].n%max(1, rest) == 0 {
			out[i].cycles = out[i].n / max(1, rest)
			out[i].n = max(1, rest)
		}
	}
	return out
}

// Set formats a set of ports.
func (n *Named) Set(s Set) string {
	var out []string
	for i := range n.To {
		if s>>i&1 == 0 {
			continue
		}
		out = append(out, n.Port(i))
	}
	return strings.Join(sortNames(out), "+")
}

// sortNames orders port names by length, then alphabetically: 2 before 10.
func sortNames(s []string) []string {
	for i := range s {
		for j := i; j > 0 && (len(s[j]) < len(s[j-1]) || len(s[j]) == len(s[j-1]) && s[j] < s[j-1]); j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
	return s
}

// Uops formats the µops of a form as in a model's row.
func (n *Named) Uops(i int) string {
	r := &n.Forms[i]
	var out []string
	for _, u := range uopsOf(r.Uops, r.ownSlots(n.Forms)) {
		t := n.Set(u.ports)
		if u.n > 1 {
			t = fmt.Sprintf("%d*%s", u.n, t)
		}
		if u.cycles > 1 {
			t += fmt.Sprintf(":%d", u.cycles)
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, " ")
}

// ModelUops formats the model's µops of a form.
func (n *Named) ModelUops(i int) string {
	if !n.has[i] {
		return "?"
	}
	var out []string
	for _, u := range uopsOf(n.known[i], len(n.known[i])) {
		var names []string
		names = append(names, n.Model.PortNames(machine.PortSet(u.ports))...)
		t := strings.Join(sortNames(names), "+")
		if u.n > 1 {
			t = fmt.Sprintf("%d*%s", u.n, t)
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, " ")
}

// ownSlots returns a form's slots minus those of its helpers.
func (r *Result) ownSlots(forms []Result) int {
	s := math.Round(r.Slots)
	for _, w := range r.With {
		s -= math.Round(forms[w].Slots)
	}
	return max(0, int(s))
}

// Row returns the model row of form i, "" if it has none; why gives the reason, or a remark.
func (n *Named) Row(i int) (row, why string) {
	r := &n.Forms[i]
	name := r.Name
	switch {
	case r.Reason != "":
		return "", "port map unknown: " + r.Reason
	case !r.Explained:
		return "", fmt.Sprintf("port map not explained: nearest is %s, off by %.0f %% on average and %.0f %% at most in %d mixes", n.Uops(i), 100*r.RMS, 100*r.Worst, r.Tests)
	case r.Held:
		return "", fmt.Sprintf("keeps %s busy for %.0f cycles; what else it runs on, and its dispatch slots, are lost in the noise", n.Set(r.Uops[0]), float64(len(r.Uops))/float64(r.Uops[0].Size()))
	case r.Shares:
		return "", "takes no port, and shares the dispatch slot of the instruction before it"
	case len(r.Uops) == 0:
		return "", fmt.Sprintf("takes %d dispatch slots and no port that mixes can show", r.ownSlots(n.Forms))
	case r.Hidden > 0:
		return "", fmt.Sprintf("runs on %s; its other %d dispatch slots take no port that mixes can show", n.Uops(i), r.Hidden)
	case len(r.Rivals) > 0:
		var or []string
		for _, m := range r.Rivals[:min(3, len(r.Rivals))] {
			var t []string
			for _, s := range m {
				t = append(t, n.Set(s))
			}
			or = append(or, strings.Join(t, " "))
		}
		return "", fmt.Sprintf("port map undecided: %s or %s", n.Uops(i), strings.Join(or, " or "))
	}
	attr := fmt.Sprintf("slots=%d", r.ownSlots(n.Forms))
	if r.Busy > 0 && len(r.With) == 0 {
		attr += fmt.Sprintf(" rthru=%.3g", r.Busy)
	}
	return fmt.Sprintf("%s | %s | = | %s", name, n.Uops(i), attr), fmt.Sprintf("%d mixes, off by %.1f %%, at most %.0f %%", r.Tests, 100*r.RMS, 100*r.Worst)
}

// Write writes the rows of all forms, and their evidence as comments.
func (n *Named) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# port maps: %g dispatch slots per cycle, %d ports, named as those of %s that agree best\n", n.Width, n.Ports, n.Model.Name)
	for _, c := range n.Classes {
		fmt.Fprintf(&b, "# ports %s are blocked by %s\n", n.Set(c.Ports), n.Forms[c.Forms[0]].Name)
	}
	for _, s := range n.Alike {
		fmt.Fprintf(&b, "# ports %s cannot be told apart\n", n.Set(s))
	}
	if grown := n.Grown(); len(grown) > 0 {
		fmt.Fprintf(&b, "ports: %s\n", strings.Join(grown, " "))
	}
	for i := 1; i < len(n.Forms); i++ {
		if n.Subjects.Statement(i) {
			continue
		}
		row, why := n.Row(i)
		fmt.Fprintf(&b, "# port map of %s: %s\n", n.Forms[i].Name, why)
		if row != "" {
			b.WriteString(row + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Record writes a measured mix, so that a later run need not repeat it.
func Record(w io.Writer, m Measurement, key string) error {
	if m.Err != nil {
		_, err := fmt.Fprintf(w, "# mix %s: none, %s\n", key, strings.ReplaceAll(m.Err.Error(), "\n", " "))
		return err
	}
	_, err := fmt.Fprintf(w, "# mix %s: %.5g %.2g\n", key, m.Cycles, m.Doubt)
	return err
}

// Recorded reads measured mixes from a results file, except mixes without a figure, which are measured again.
func Recorded(text string) map[string]Measurement {
	out := map[string]Measurement{}
	for _, l := range strings.Split(text, "\n") {
		rest, ok := strings.CutPrefix(l, "# mix ")
		if !ok {
			continue
		}
		i := strings.LastIndex(rest, ": ")
		if i < 0 {
			continue
		}
		var m Measurement
		if _, err := fmt.Sscanf(rest[i+2:], "%g %g", &m.Cycles, &m.Doubt); err == nil && m.Cycles > 0 {
			out[rest[:i]] = m
		}
	}
	return out
}
