package ports

import (
	"context"
	"errors"

	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// Subjects are instruction forms prepared for mixes.
type Subjects struct {
	Target *plan.Target
	Forms  []Form // form 0 is the NOP
	Zero   int    // the form that zeroes a register, 0 if there is none
	list   []*plan.Subject
}

// Prepare makes subjects of forms, and of the helpers that some of them need. skipped gives, by name, the reason why a form cannot
// be a subject.
func Prepare(t *plan.Target, forms []isa.FormID) (s *Subjects, skipped map[string]string, err error) {
	s, skipped = &Subjects{Target: t}, map[string]string{}
	nop, err := t.Statement(t.Nop)
	if err != nil {
		return nil, nil, err
	}
	s.add(nop, nil)
	if t.Zeroing != "" {
		x, err := t.Statement(t.Zeroing)
		if err != nil {
			return nil, nil, err
		}
		s.Zero = s.add(x, nil)
	}
	helper := map[string]int{}
	for _, f := range forms {
		x, err := t.Subject(f)
		if err != nil {
			skipped[t.ISA.Forms.Name(f)] = err.Error()
			continue
		}
		if x.Memory {
			skipped[x.Name] = "accesses memory"
			continue
		}
		var with []int
		for i := range x.Helpers {
			text := t.Text(&x.Helpers[i])
			at, ok := helper[text]
			if !ok {
				h, err := t.Statement(text)
				if err != nil {
					return nil, nil, err
				}
				at = s.add(h, nil)
				s.Forms[at].Renamed = t.ISA.ZeroIdiom != nil && t.ISA.ZeroIdiom(&x.Helpers[i])
				helper[text] = at
			}
			with = append(with, at)
		}
		s.add(x, with)
	}
	return s, skipped, nil
}

// longest is the largest number of bytes of an instruction that may block ports. An instruction with a 64-bit immediate has two more: Zen 4's op cache delivers
// three of these per cycle, and fewer together with other immediates.
const longest = 8

func (s *Subjects) add(x *plan.Subject, with []int) int {
	f := Form{Name: x.Name, With: with, Tied: x.Tied, Rank: s.Target.Intrusion(x), Long: s.Target.Bytes(x) > longest, Crosses: s.Target.Crosses(x),
		Renamed: !x.Statement() && s.Target.Copies(x.Form)}
	f.ReadsFlags, f.WritesFlags = s.Target.Flags(x)
	s.list, s.Forms = append(s.list, x), append(s.Forms, f)
	return len(s.list) - 1
}

// Options returns the options of Infer for the instruction set.
func (s *Subjects) Options() Options { return Options{Zero: s.Zero, Macro: s.Target.MacroOps} }

// Statement reports whether form i is a single statement instead of an instruction form.
func (s *Subjects) Statement(i int) bool { return s.list[i].Statement() }

// maxDoubt is the largest accepted relative uncertainty of a figure: bench gives 1 % to figures that no second pass confirmed.
const maxDoubt = 0.0095

// Oracle returns an oracle that queries a runner of plans: this machine, or a model.
func (s *Subjects) Oracle(run func(context.Context, *plan.Plan) (cycles, doubt float64, err error)) Oracle {
	return func(ctx context.Context, m Mix, parts int) (float64, float64, error) {
		var mix []plan.Part
		for _, c := range m {
			mix = append(mix, plan.Part{Subject: s.list[c.Form], N: c.N})
		}
		p, err := s.Target.Mix(mix, parts)
		if err != nil {
			return 0, 0, &NoFigure{err.Error()}
		}
		v, u, err := run(ctx, p)
		why := new(host.Reason)
		for try := 0; try < 2 && (err == nil && u > maxDoubt*v || errors.As(err, &why) && why.Kind == "unstable"); try++ {
			v, u, err = run(ctx, p)
		}
		if err == nil && u > maxDoubt*v {
			return 0, 0, &NoFigure{"too uncertain"}
		}
		if errors.As(err, &why) && why.Kind != "unsupported" {
			return 0, 0, &NoFigure{why.Msg}
		}
		return v / p.N, u / p.N, err
	}
}
