package results

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file describes forms that were not measured: a base that gives many forms one row takes them for one kind of operation, and what was measured of some of them
// holds for the others.

// Forms of a kind are alike if this part of the measured ones has the same figures, and at least this number was measured; of one operation, one is enough.
const (
	alikePart  = 0.9
	alikeLeast = 2
)

// alikeSource is the source of rows of forms that were not measured.
const alikeSource = "source: not measured; as measured forms that the base describes alike"

// alike returns rows for the forms that were not measured: the µops of measured forms that have the same row in the base, the latencies of measured forms that have the
// same operands and latencies in it; of the same operation, where one was measured. measured are the rows of the results, final what the model gets of them: forms
// whose measured throughput refutes the base's µops, and to which no other rule gave any, get such as agree with it.
func alike(t *plan.Target, measured, final map[string]string, base *machine.Model) map[string]string {
	l := likeness{t: t, base: base, votes: map[string]map[string]int{}}
	var open, refuted []*machine.Cost
	for f := isa.FormID(1); int(f) < t.ISA.Forms.Len(); f++ {
		c := l.cost(f)
		if c == nil {
			continue
		}
		row, ok := measured[c.Form]
		if !ok {
			open = append(open, c)
			continue
		}
		uops, latency := alikeFields(final[c.Form])
		fields := strings.SplitN(row+" |  | ", " | ", 4)
		if each := attribute(fields[2], "rthru"); uops != "=" || near(each, c.Each) {
			l.vote(l.kinds(c), uops)
		} else if each > 0 {
			refuted = append(refuted, c)
		}
		if fields[1] != "=" {
			l.vote(l.shapes(c), latency)
		}
	}
	for _, c := range refuted {
		fields := strings.SplitN(final[c.Form]+" |  | ", " | ", 4)
		uops, slots, _ := strings.Cut(l.elected(l.kinds(c)), " | ")
		if ports := strings.Split(uops, "+"); !strings.ContainsAny(uops, " :=/-") && near(attribute(fields[2], "rthru"), 1/float64(len(ports))) {
			final[c.Form] = strings.TrimRight(fmt.Sprintf("%s | %s | %s %s", uops, fields[1], slots, strings.Trim(fields[2], " |")), " |")
		}
	}
	out := map[string]string{}
	for _, c := range open {
		uops, slots, _ := strings.Cut(l.elected(l.kinds(c)), " | ")
		latency := l.elected(l.shapes(c))
		if uops != "=" || latency != "=" {
			out[c.Form] = strings.TrimRight(fmt.Sprintf("%s | %s | %s", uops, latency, slots), " |")
		}
	}
	return out
}

// near reports whether a measured throughput is that of a model: refute takes 15 % for a contradiction, too.
func near(each, model float64) bool { return math.Abs(math.Log(each/model)) <= 0.15 }

// likeness counts what was measured of forms that are alike.
type likeness struct {
	t     *plan.Target
	base  *machine.Model
	votes map[string]map[string]int // by kind of form: how many have a field
}

// cost returns what the base knows of a form; nil if nothing, or if it branches.
func (l *likeness) cost(form isa.FormID) *machine.Cost {
	const not = isa.Branch | isa.Call | isa.Return | isa.IndirectBranch | isa.Trap | isa.Pseudo
	in, err := l.t.Instance(form)
	if err != nil || l.t.ISA.Forms.Flags(form)&not != 0 {
		return nil
	}
	if c := l.base.Cost(l.t.ISA, &in); known(c, "") {
		return c
	}
	return nil
}

// kinds returns the kinds of a form for its µops, the narrowest first.
func (l *likeness) kinds(c *machine.Cost) []string {
	row := "µops " + c.Rows[0]
	return []string{row + " " + operationOf(c.Form), row}
}

// shapes returns the kinds of a form for its latencies, the narrowest first.
func (l *likeness) shapes(c *machine.Cost) []string {
	shape := "latency " + shapeOf(l.t, c)
	return []string{shape + " " + operationOf(c.Form), shape}
}

// vote counts a field for kinds of forms.
func (l *likeness) vote(kinds []string, field string) {
	for _, k := range kinds {
		if l.votes[k] == nil {
			l.votes[k] = map[string]int{}
		}
		l.votes[k][field]++
	}
}

// elected returns the field that nearly all forms have of the narrowest kind of which any was measured; "=" where they differ or are too few.
func (l *likeness) elected(kinds []string) string {
	for i, k := range kinds {
		all, most, field := 0, 0, ""
		for f, n := range l.votes[k] {
			if all += n; n > most {
				most, field = n, f
			}
		}
		switch {
		case all == 0:
		case float64(most) >= alikePart*float64(all) && (i == 0 || all >= alikeLeast):
			return field
		default:
			return "="
		}
	}
	return "="
}

// alikeFields returns the µops of a row, with their slots behind a bar if it has µops, and its latency.
func alikeFields(row string) (uops, latency string) {
	if row == "" { // all is the base's
		return "=", "="
	}
	fields := strings.SplitN(row+" |  | ", " | ", 4)
	if fields[0] == "=" {
		return "=", fields[1]
	}
	slots := ""
	for _, a := range strings.Fields(fields[2]) {
		if strings.HasPrefix(a, "slots=") {
			slots = a
		}
	}
	return fields[0] + " | " + slots, fields[1]
}

// operationOf is the name of a form's operation, whatever its encoding, the width of its registers and the kinds of its operands: ADDPS of VADDPSZ256rr.
func operationOf(form string) string {
	end := strings.IndexFunc(form, unicode.IsLower)
	if end < 0 {
		end = len(form)
	}
	return strings.TrimPrefix(strings.TrimRight(strings.TrimRight(form[:end], "0123456789_"), "YZ"), "V")
}

// shapeOf describes the operands of a form, which register files it reads and writes, and the latencies between them.
func shapeOf(t *plan.Target, c *machine.Cost) string {
	var b strings.Builder
	list := func(accesses []isa.Access) {
		b.WriteByte('|')
		for _, a := range accesses {
			fmt.Fprintf(&b, " %v/%v", t.File(a.Reg), a.Role)
		}
	}
	list(c.Effects.Reads)
	list(c.Effects.Writes)
	fmt.Fprintf(&b, "|%d", len(c.Effects.Mem))
	for i := range c.Inputs() {
		for o := range c.Outputs() {
			cycles, ok := c.Pair(i, o)
			fmt.Fprintf(&b, " %g %t", cycles, ok)
		}
	}
	return b.String()
}
