// Package baselines keeps the predicted cycles of loops in a repository and checks later code against them. A loop is known by its file, its function and its shape: the
// forms of its instructions. A loop whose shape has changed is matched by its place among the loops of its function.
package baselines

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/finite"
	"incore/internal/base/source"
	"incore/internal/report"
	"incore/internal/report/compare"
)

// Schema names the version of the layout of baselines.
const Schema = "incore.baseline/1"

// Baseline is a file of predictions.
type Baseline struct {
	Schema    string   `json:"schema"`
	Version   string   `json:"version"` // of incore
	Archs     []string `json:"archs"`
	Tolerance float64  `json:"tolerance_percent"`
	Loops     []Loop   `json:"loops"`
}

// Loop is one loop.
type Loop struct {
	File     string             `json:"file"`
	Function string             `json:"function,omitempty"`
	Name     string             `json:"name"`  // as reports name it; it may change
	Shape    string             `json:"shape"` // a hash of the forms of its instructions
	Insts    int                `json:"instructions"`
	Work     report.Work        `json:"work"`               // of one iteration
	Cycles   map[string]float64 `json:"cycles"`             // by machine
	AtLeast  []string           `json:"at_least,omitempty"` // machines on which the cycles are a lower bound only
	Accepted []Accepted         `json:"accepted,omitempty"`
}

// Accepted says that a loop may take more cycles than the baseline has.
type Accepted struct {
	Arch   string  `json:"arch"`
	Cycles float64 `json:"cycles"`
	Reason string  `json:"reason"`
}

// Parse reads a baseline. name is the file's, for messages, which have the line where the text is no JSON.
func Parse(name string, data []byte) (*Baseline, error) {
	var b Baseline
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // a byte order mark
	d := json.NewDecoder(bytes.NewReader(data))
	err := d.Decode(&b)
	if field, words, ok := source.WrongKind(err); ok {
		return nil, fmt.Errorf("%s: is no baseline: %s %s", name, cmp.Or(field, "the file"), words)
	}
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more text follows it")
		}
	}
	if err != nil {
		at := d.InputOffset()
		var wrong *json.SyntaxError
		switch {
		case errors.As(err, &wrong):
			at = wrong.Offset
		case errors.Is(err, io.ErrUnexpectedEOF):
			at = int64(len(bytes.TrimSpace(data))) // its last line
		}
		return nil, fmt.Errorf("%s:%d: is no baseline: %w", name, 1+bytes.Count(data[:min(int(at), len(data))], []byte("\n")), err)
	}
	if err := b.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &b, nil
}

// check returns an error for values that no baseline has.
func (b *Baseline) check() error {
	switch {
	case b.Schema != Schema:
		return fmt.Errorf("is of layout %q; this incore reads %s: 'incore baseline write' makes it anew", b.Schema, Schema)
	case len(b.Archs) == 0 || len(b.Loops) == 0:
		return errors.New("is a baseline without machines or loops")
	case b.Tolerance < 0 || !finite.Number(b.Tolerance):
		return fmt.Errorf("tolerance_percent: %v is no percentage", b.Tolerance)
	}
	for i := range b.Loops {
		l := &b.Loops[i]
		if l.File == "" {
			return fmt.Errorf("there is no file of loop %d", i+1)
		}
		for arch, c := range l.Cycles {
			if c < 0 || !finite.Number(c) {
				return fmt.Errorf("loop %s on %s: %v cycles", l.Name, arch, c)
			}
		}
		for _, a := range l.Accepted {
			if a.Cycles < 0 || !finite.Number(a.Cycles) {
				return fmt.Errorf("loop %s on %s: %v cycles are accepted", l.Name, a.Arch, a.Cycles)
			}
		}
	}
	return nil
}

// Add adds the loops of a file.
func (b *Baseline) Add(file string, d *report.Document) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		if len(k.Targets) == 0 {
			continue
		}
		l := Loop{File: file, Function: k.Function, Name: k.Name, Work: k.Work, Cycles: map[string]float64{}}
		h := sha256.New()
		for n := range k.Targets[0].Instructions {
			fmt.Fprintln(h, k.Targets[0].Instructions[n].Form)
		}
		l.Shape, l.Insts = hex.EncodeToString(h.Sum(nil)[:8]), len(k.Targets[0].Instructions)
		for t := range k.Targets {
			arch := k.Targets[t].Arch
			l.Cycles[arch] = k.Targets[t].Prediction.Cycles
			if compare.AtLeast(k, &k.Targets[t]) {
				l.AtLeast = append(l.AtLeast, arch)
			}
			if !slices.Contains(b.Archs, arch) {
				b.Archs = append(b.Archs, arch)
			}
		}
		b.Loops = append(b.Loops, l)
	}
}

// Sort sorts the loops by file and function, those of a function as they are, so that a change of the code changes few lines.
func (b *Baseline) Sort() {
	slices.SortStableFunc(b.Loops, func(x, y Loop) int {
		return cmp.Or(strings.Compare(x.File, y.File), strings.Compare(x.Function, y.Function))
	})
}

// Files returns the files of the loops.
func (b *Baseline) Files() (out []string) {
	for i := range b.Loops {
		if f := b.Loops[i].File; !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// ArchsOf returns the machines of the loops of a file; those of all loops if it has none.
func (b *Baseline) ArchsOf(file string) (out []string) {
	for _, arch := range b.Archs {
		if slices.ContainsFunc(b.Loops, func(l Loop) bool { _, ok := l.Cycles[arch]; return ok && l.File == file }) {
			out = append(out, arch)
		}
	}
	if out == nil {
		return b.Archs
	}
	return out
}

// Of returns the part of a baseline that is of the files for which in is true.
func (b *Baseline) Of(in func(file string) bool) *Baseline {
	out := *b
	out.Loops = slices.DeleteFunc(slices.Clone(b.Loops), func(l Loop) bool { return !in(l.File) })
	return &out
}

// Result is the result of a check.
type Result struct {
	Schema   string    `json:"schema"`
	Version  string    `json:"version"`
	Stale    string    `json:"stale,omitempty"` // why predictions may have changed without the code
	Compared int       `json:"compared"`        // loops on machines
	Slower   int       `json:"slower"`          // that nobody has accepted
	Loops    []Verdict `json:"loops"`
}

// Verdict is the verdict on a loop on a machine.
type Verdict struct {
	File      string  `json:"file"`
	Name      string  `json:"name"`
	Key       string  `json:"-"` // identifies it without its name
	Arch      string  `json:"arch"`
	Verdict   string  `json:"verdict"` // "same", "slower", "accepted", "faster", "other-work", "new", "gone"
	Before    float64 `json:"before,omitempty"`
	Now       float64 `json:"now,omitempty"`       // for the work of an iteration of the baseline's loop
	Iteration float64 `json:"iteration,omitempty"` // cycles of an iteration as it is now
	Times     float64 `json:"times,omitempty"`     // iterations of the baseline's loop whose work one iteration does now, if it is not one
	Changed   bool    `json:"changed,omitempty"`   // its instructions are others
	Reason    string  `json:"reason,omitempty"`    // of the acceptance; why its work cannot be compared
}

// Message is a verdict in words.
func (v *Verdict) Message() string {
	n := func(x float64) string { return strconv.FormatFloat(math.Round(x*1000)/1000, 'g', -1, 64) }
	s := v.Name + " on " + v.Arch + ": "
	switch v.Verdict {
	case "new":
		return s + report.Cycles(v.Now) + " cycles/iteration, not in the baseline"
	case "gone":
		return s + "the loop is gone, " + report.Cycles(v.Before) + " cycles/iteration in the baseline"
	case "other-work":
		return s + "cannot be compared with the baseline: " + v.Reason
	}
	s += report.Cycles(v.Now) + " cycles/iteration, " + report.Cycles(v.Before) + " in the baseline"
	if v.Before > 0 && v.Now != v.Before {
		s += fmt.Sprintf(" (%+.1f %%)", 100*(v.Now/v.Before-1))
	}
	if v.Times > 0 {
		s += fmt.Sprintf("; an iteration does the work of %s before", n(v.Times))
	}
	if v.Reason != "" {
		s += "; accepted: " + v.Reason
	}
	return s
}

// pairs matches the loops of a baseline with those of now: by file, function and shape first, then the rest of a function in its order. The index is -1 for a loop that is
// new or gone.
func (b *Baseline) pairs(now *Baseline) (out [][2]int) {
	used := make([]bool, len(now.Loops))
	partner := make([]int, len(b.Loops))
	match := func(same func(x, y *Loop) bool) {
		for i := range b.Loops {
			for n := 0; partner[i] < 0 && n < len(now.Loops); n++ {
				if x, y := &b.Loops[i], &now.Loops[n]; !used[n] && x.File == y.File && x.Function == y.Function && same(x, y) {
					partner[i], used[n] = n, true
				}
			}
		}
	}
	for i := range partner {
		partner[i] = -1
	}
	match(func(x, y *Loop) bool { return x.Shape == y.Shape && x.Name == y.Name })
	match(func(x, y *Loop) bool { return x.Shape == y.Shape })
	match(func(x, y *Loop) bool { return x.Name == y.Name })
	match(func(x, y *Loop) bool { return x.Function != "" })
	for i, n := range partner {
		out = append(out, [2]int{i, n})
	}
	for n := range used {
		if !used[n] {
			out = append(out, [2]int{-1, n})
		}
	}
	return out
}

// Check compares the loops of now with the baseline.
func (b *Baseline) Check(now *Baseline) *Result {
	r := &Result{Schema: "incore.baseline-check/1", Version: now.Version, Loops: []Verdict{}}
	if b.Version != now.Version {
		r.Stale = fmt.Sprintf("the baseline was made by incore %s, this is %s: predictions may have changed without the code", b.Version, now.Version)
	}
	number := map[string]int{}
	for _, p := range b.pairs(now) {
		x, y := b.loops(now, p)
		of := cmp.Or(x, y)
		key := fmt.Sprintf("%s#%d", cmp.Or(of.Function, of.Name), number[of.File+"\x00"+of.Function])
		number[of.File+"\x00"+of.Function]++
		for _, arch := range b.Archs {
			v, ok := b.verdict(x, y, arch)
			if !ok {
				continue
			}
			v.Key = key
			switch v.Verdict {
			case "same", "slower", "accepted", "faster":
				r.Compared++
			}
			if v.Verdict == "slower" {
				r.Slower++
			}
			r.Loops = append(r.Loops, v)
		}
	}
	return r
}

// loops returns the loops of a pair; nil for one that is not there.
func (b *Baseline) loops(now *Baseline, p [2]int) (x, y *Loop) {
	if p[0] >= 0 {
		x = &b.Loops[p[0]]
	}
	if p[1] >= 0 {
		y = &now.Loops[p[1]]
	}
	return x, y
}

// verdict is the verdict on a loop of the baseline and its partner of now on a machine; nil: there is none. It is false if the machine is not one of both.
func (b *Baseline) verdict(x, y *Loop, arch string) (v Verdict, ok bool) {
	of := cmp.Or(x, y)
	v = Verdict{File: of.File, Name: of.Name, Arch: arch}
	cycles, ok := of.Cycles[arch] // else of another instruction set, or not asked for now
	switch {
	case !ok:
	case y == nil:
		v.Verdict, v.Before = "gone", cycles
	case x == nil:
		v.Verdict, v.Now, v.Iteration = "new", cycles, cycles
	default:
		if _, ok = y.Cycles[arch]; !ok {
			break
		}
		v.Before = cycles
		if v.compare(x, y); v.Verdict == "" {
			b.judge(&v, x)
		}
	}
	return v, ok
}

// compare fills in the cycles of a loop for the work of an iteration of the baseline's. If the work of the two cannot be compared, that is the verdict.
func (v *Verdict) compare(x, y *Loop) {
	v.Name, v.Now, v.Changed = y.Name, y.Cycles[v.Arch], x.Shape != y.Shape
	v.Iteration = v.Now
	if least := slices.Contains(y.AtLeast, v.Arch); least != slices.Contains(x.AtLeast, v.Arch) {
		v.Verdict, v.Reason = "other-work", "its cycles are a lower bound there"
		if least {
			v.Reason = "its cycles are a lower bound now"
		}
		return
	}
	if !v.Changed {
		return
	}
	times, why := compare.Times(x.Work, y.Work)
	switch {
	case why != "":
		v.Verdict, v.Reason = "other-work", why
	case times > 0 && math.Abs(times-1) > 0.01:
		v.Times, v.Now = report.Round(times), report.Round(v.Now/times)
	}
}

// judge compares the cycles of a loop.
func (b *Baseline) judge(v *Verdict, x *Loop) {
	const noise = 1e-6 // of the rounding of figures
	limit := v.Before * (1 + b.Tolerance/100)
	switch {
	case v.Now > limit+noise:
		v.Verdict = "slower"
		for _, a := range x.Accepted {
			if a.Arch == v.Arch && v.Now <= a.Cycles*(1+b.Tolerance/100)+noise {
				v.Verdict, v.Reason = "accepted", a.Reason
			}
		}
	case v.Now < v.Before*(1-b.Tolerance/100)-noise:
		v.Verdict = "faster"
	default:
		v.Verdict = "same"
	}
}

// called reports whether a loop is there and has a name, or is in the function of that name.
func (l *Loop) called(name string) bool { return l != nil && (l.Name == name || l.Function == name) }

// Accept accepts the cycles of the loops of a name or function that are slower, and returns how many it accepted, with the verdicts on the others of that name.
func (b *Baseline) Accept(now *Baseline, name, reason string) (n int, left []Verdict) {
	for _, p := range b.pairs(now) {
		x, y := b.loops(now, p)
		if !x.called(name) && !y.called(name) {
			continue
		}
		for _, arch := range b.Archs {
			v, ok := b.verdict(x, y, arch)
			if !ok {
				continue
			}
			if v.Verdict != "slower" {
				left = append(left, v)
				continue
			}
			x.Accepted = slices.DeleteFunc(x.Accepted, func(a Accepted) bool { return a.Arch == arch })
			x.Accepted = append(x.Accepted, Accepted{arch, v.Now, strings.TrimSpace(reason)})
			n++
		}
	}
	return n, left
}

// Keep takes over what was accepted for loops that are as they were, as far as it still allows more than their cycles.
func (b *Baseline) Keep(old *Baseline) {
	for _, p := range old.pairs(b) {
		if p[0] < 0 || p[1] < 0 || old.Loops[p[0]].Shape != b.Loops[p[1]].Shape {
			continue
		}
		x := &b.Loops[p[1]]
		for _, a := range old.Loops[p[0]].Accepted {
			if c, ok := x.Cycles[a.Arch]; ok && a.Cycles > c {
				x.Accepted = append(x.Accepted, a)
			}
		}
	}
}

// Text writes a result as text; with all it lists the loops that are as they were, too.
func (r *Result) Text(w io.Writer, all bool) error {
	var b strings.Builder
	count := map[string]int{}
	for i := range r.Loops {
		v := &r.Loops[i]
		if count[v.Verdict]++; all || v.Verdict != "same" {
			fmt.Fprintf(&b, "%-8s  %s: %s\n", v.Verdict, v.File, v.Message())
		}
	}
	fmt.Fprintf(&b, "%d compared: %d slower, %d accepted, %d faster, %d the same; %d new, %d gone, %d with other work\n", r.Compared, r.Slower, count["accepted"], count["faster"], count["same"], count["new"], count["gone"], count["other-work"])
	if r.Stale != "" {
		b.WriteString("note: " + r.Stale + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
