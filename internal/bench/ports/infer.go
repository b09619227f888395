package ports

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
)

// Result is the inferred port usage of a form.
type Result struct {
	Form
	Cycles float64 // per instance, alone
	Slots  float64 // of the dispatch width, as measured; NaN if unknown
	Uops   Map     // the µops that mixes can show
	// Hidden is the number of dispatch slots without a visible µop: eliminated at rename, or with as many ports as the core is wide, so
	// that the dispatch width hides the µop in every mix.
	Hidden int
	// Busy is the cycles per instance alone if ports do not explain them (a divider, a latency); otherwise 0.
	Busy       float64
	RMS, Worst float64 // relative residuals of the tests: root mean square without the worst tenth, and the largest
	Tests      int
	Explained  bool
	Rivals     []Map  // other answers that explain the tests about equally well
	Reason     string // the reason why the µops are not known
	Shares     bool   // takes no port, and shares the dispatch slot of the instruction before it
	Held       bool   // the form keeps a port busy for its whole duration; its dispatch slots are not known
	floor      float64
	pace       float64 // for a class representative that depends on itself: cycles with the registers that mixes of three classes leave it; otherwise 0
}

// Inference is the part of a machine that mixes show.
type Inference struct {
	Width    float64 // dispatch slots per cycle
	Early    bool    // the core chooses ports early: mixes take up to the time with evenly spread µops
	Ports    int
	Forms    []Result
	Alike    []Set    // ports that nothing tells apart, where more than one
	Classes  []Class  // of blocking forms
	Dropped  []string // candidates for blocking forms that contradict the others
	Asked    int      // number of measured mixes
	Checks   []Check  // mixes that the inference did not use
	Unsolved int      // number of other port assignments of the classes that explain the tests about equally well
}

// Class is a group of forms with one µop on the same ports.
type Class struct {
	Ports Set
	Forms []int // the first one is the blocking form
	RMS   float64
}

// inference is the state of an inference.
type inference struct {
	lab      *lab
	width    float64
	nop      int // the form that takes a dispatch slot and no port
	zero     int // an alternative to nop; 0 = none
	forms    []Result
	classes  []class
	unfit    map[int]bool // forms that cannot represent a class: they have a second µop
	tests    []classTest
	blockers []blocker
	subsets  []Set
	usual    map[Set]bool // the port sets of classes
	fillers  []int        // one-slot forms that together reach the dispatch width
	macro    bool         // a dispatch slot may hold several µops
	early    bool         // the core chooses ports early: mixes may take up to the time with evenly spread µops
	out      Inference
	note     func(Progress)
}

// Progress is the progress of an inference.
type Progress struct {
	Stage       string
	Done, Total int // forms
	Mixes       int // measured
}

// Options configure Infer.
type Options struct {
	Known  map[string]Measurement          // of earlier runs, by Key
	Note   func(Progress)                  // called at intervals
	Record func(m Measurement, key string) // called with every new measurement
	Checks int                             // number of mixes to check the result with
	Macro  bool                            // a dispatch slot may hold several µops, so that the slots don't tell their number
	Zero   int                             // a form that needs no port on cores that recognise it as a zero idiom; 0 = none
}

// Infer determines the port maps of forms. nop is the index of the form that takes a dispatch slot and no port. If two NOPs share a slot, opt.Zero replaces it.
func Infer(ctx context.Context, forms []Form, nop int, oracle Oracle, opt Options) (*Inference, error) {
	if nop < 0 || nop >= len(forms) {
		return nil, fmt.Errorf("no form %d that needs no port", nop)
	}
	f := &inference{nop: nop, forms: make([]Result, len(forms)), unfit: map[int]bool{}, note: opt.Note}
	for i := range forms {
		f.forms[i].Form = forms[i]
		f.forms[i].Slots = math.NaN()
	}
	f.lab = &lab{forms: forms, oracle: oracle, seen: map[string]*Measurement{}}
	for key, m := range opt.Known {
		f.lab.seen[key] = &m
	}
	f.lab.record = opt.Record
	f.zero, f.macro = opt.Zero, opt.Macro
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{{"single forms", f.singles}, {"slots of NOPs", f.findIdle}, {"dispatch width", f.findWidth}, {"dispatch slots", f.findSlots}, {"classes", f.classify}, {"ports of classes", f.resolve}, {"forms", f.fitAll},
		{"check", func(ctx context.Context) error { return f.check(ctx, opt.Checks) }}} {
		f.lab.note = func(int) { f.stage(step.name, 0, len(forms)) }
		f.stage(step.name, 0, len(forms))
		if err := step.do(ctx); err != nil {
			if errors.Is(err, errNoFigure) {
				err = errors.New("what needs no port could not be measured")
			}
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	f.finish()
	return &f.out, nil
}

func (f *inference) stage(name string, done, total int) {
	if f.note != nil {
		f.note(Progress{name, done, total, f.lab.asked})
	}
}

// fitAll determines the µops of every form, first those of forms that run with others.
func (f *inference) fitAll(ctx context.Context) error {
	order := make([]int, len(f.forms))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return len(f.forms[order[a]].With) < len(f.forms[order[b]].With) })
	for done, i := range order {
		f.lab.note = func(int) { f.stage("forms", done, len(order)) }
		f.stage("forms", done, len(order))
		if i == f.nop {
			f.forms[i].Explained, f.forms[i].Hidden, f.forms[i].Slots = true, 1, 1
			continue
		}
		if err := f.fit(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// finish fills in the result.
func (f *inference) finish() {
	o := &f.out
	o.Width, o.Forms, o.Asked = f.width, f.forms, f.lab.asked
	for _, c := range f.classes {
		o.Classes = append(o.Classes, Class{c.ports, c.members, math.Sqrt(c.misfit)})
	}
	var sets []Set
	for i := range o.Forms {
		if r := &o.Forms[i]; r.Shares {
			r.Explained, r.Reason = true, ""
		}
		if o.Forms[i].Explained {
			sets = append(sets, o.Forms[i].Uops...)
		}
	}
	for _, c := range cells(sets, o.Ports) {
		if c.Size() > 1 {
			o.Alike = append(o.Alike, c)
		}
	}
}
