package roofline

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"incore/internal/report"
)

// Layout implements report.Result.
func (*Profile) Layout() string { return "incore.roofline.profile/1" }

// Text writes the work of the program and of its loops; o.Verbose lists all of them.
func (p *Profile) Text(w io.Writer, o report.TextOptions) error {
	all := o.Verbose
	const short = 12
	var b strings.Builder
	levels := p.order()
	fmt.Fprintf(&b, "%s: %s instructions, %s FLOP by %s floating-point instructions", strings.Join(p.Program, " "), count(p.Instructions), count(p.Flops), count(p.FPInstructions))
	if p.Flops > 0 {
		fmt.Fprintf(&b, " (%s each, %.0f %% of the FLOP by vectors)", figure(p.Flops/p.FPInstructions), 100*p.VectorFlops/p.Flops)
	}
	if p.Seconds > 0 {
		fmt.Fprintf(&b, "\n%s s", figure(p.Seconds))
		if p.Flops > 0 {
			fmt.Fprintf(&b, ", %s GFLOP/s", figure(p.Flops/p.Seconds/1e9))
		}
	}
	fmt.Fprintf(&b, "\nloaded %s bytes, stored %s; served by", count(p.BytesLoaded), count(p.BytesStored))
	total := p.BytesLoaded + p.BytesStored
	for _, l := range levels {
		fmt.Fprintf(&b, " %s %s (%.1f %%)", l, count(p.Bytes[l]), percent(p.Bytes[l], total))
	}
	if p.Flops > 0 {
		b.WriteString("\nFLOP per byte of a level and all farther ones:")
		for i, l := range levels {
			fmt.Fprintf(&b, " %s %s", l, figure(p.intensity(levels, i)))
		}
	} else {
		b.WriteString("\nwithout floating-point operations it cannot be projected")
	}
	b.WriteString("\n\n")
	p.mix(&b)
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	timed := p.timed()
	if timed {
		fmt.Fprint(tw, "time %\t")
	}
	if p.Static {
		fmt.Fprint(tw, "iterations\tFLOP each\tbytes each\t")
	}
	fmt.Fprint(tw, "FLOP %\tinstr. %\tbytes %\tFLOP/byte\t")
	beyond := levels[min(1, len(levels)):] // a program that ended before its first access has no level
	for _, l := range beyond {
		fmt.Fprintf(tw, "%s %%\t", l)
	}
	fmt.Fprintln(tw, "loop or function\t")
	for i, l := range p.Loops {
		if i == short && !all {
			fmt.Fprintf(tw, "… %d more (-v)\t\n", len(p.Loops)-short)
			break
		}
		sum := 0.0
		for _, v := range l.Bytes {
			sum += v
		}
		if timed {
			fmt.Fprintf(tw, "%.1f\t", percent(l.Seconds, p.Seconds))
		}
		if p.Static {
			n := max(l.Iterations, 1)
			fmt.Fprintf(tw, "%s\t%s\t%s\t", count(l.Iterations), figure(l.Flops/n), figure(sum/n))
		}
		fmt.Fprintf(tw, "%.1f\t%.1f\t%.1f\t%s\t", percent(l.Flops, p.Flops), percent(l.Instructions, p.Instructions), percent(sum, total), figure(l.Flops/max(sum, 1)))
		for _, name := range beyond {
			fmt.Fprintf(tw, "%.1f\t", percent(l.Bytes[name], sum))
		}
		fmt.Fprintf(tw, "%s\t\n", l.title())
	}
	tw.Flush()
	if p.Untimed != "" {
		b.WriteString("\nno time by loop: " + p.Untimed + "\n")
	}
	p.counted(&b)
	if p.Caches != "" {
		b.WriteString("\ncaches: " + p.Caches + "\n")
	}
	for _, a := range p.Assumed {
		b.WriteString("assumed: " + a + "\n")
	}
	if p.Partial != "" {
		b.WriteString("partial: " + p.Partial + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// timed reports whether loops have times.
func (p *Profile) timed() bool {
	return slices.ContainsFunc(p.Loops, func(l LoopWork) bool { return l.Seconds > 0 })
}

// title names a loop.
func (l *LoopWork) title() string {
	s := l.Function
	if l.Loop != "" {
		s = l.Loop
	} else if l.Module != "" {
		s += " (" + l.Module + ")"
	}
	if l.Source != "" {
		s += ", " + l.Source
	}
	return s
}

func vectorName(bits float64) string {
	if bits == 0 {
		return "scalar"
	}
	return fmt.Sprintf("%g", bits)
}

func percent(v, of float64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * v / of
}

// count writes a large number with a unit.
func count(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}} {
		if v >= u.size {
			return figure(v/u.size) + u.name
		}
	}
	return fmt.Sprintf("%.0f", v)
}

// order returns the levels for which a profile has bytes, from the core outwards.
func (p *Profile) order() (out []string) {
	for name := range p.Bytes {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int {
		if (key(a) == memoryName) != (key(b) == memoryName) {
			if key(a) == memoryName {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	return out
}

// counted writes the kernel's counts next to the model's, or the reason for missing counts.
func (p *Profile) counted(b *strings.Builder) {
	if p.Uncounted != "" && p.Caches != "" {
		fmt.Fprintf(b, "\nlevels by the model of caches alone: %s\n", p.Uncounted)
	}
	if p.Counters == nil {
		return
	}
	b.WriteString("\ncounted while it ran as it is:")
	least := 1.0
	for _, c := range p.Counters.Events {
		fmt.Fprintf(b, " %s %s", count(c.Count), c.Event)
		least = min(least, c.Share)
	}
	if least < 1 {
		fmt.Fprintf(b, "; scaled, as the counters were shared: the least was counted %.0f %% of the time", 100*least)
	}
	b.WriteString("\n")
	if len(p.Counters.Lines) == 0 {
		return
	}
	b.WriteString("lines by level, counted (by the model of caches):")
	for _, l := range p.order() {
		if n, ok := p.Counters.Lines[l]; ok {
			fmt.Fprintf(b, " %s %s (%s)", l, count(n), count(p.Counters.Model[l]))
		}
	}
	fmt.Fprintf(b, "; counted are %s\n", p.Counters.Meaning)
}

// mix writes the floating-point instructions by kind.
func (p *Profile) mix(b *strings.Builder) {
	if len(p.Mix) == 0 {
		return
	}
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "kind\tbits\tvector\tinstructions\tFLOP\t")
	for _, m := range p.Mix {
		bits := "-" // of conversions: two widths
		if m.ElementBits > 0 {
			bits = fmt.Sprintf("%g", m.ElementBits)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t\n", m.Kind, bits, vectorName(m.VectorBits), count(m.Instructions), count(m.Flops))
	}
	tw.Flush()
	b.WriteByte('\n')
}
