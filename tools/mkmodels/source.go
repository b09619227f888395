package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// formSource holds the used parts of forms-T.json.
type formSource struct {
	Flags []string            `json:"flags"`
	Forms []form              `json:"forms"`
	RVV   map[string][][3]int `json:"rvv"`
	// SchedClasses are the names of the scheduling classes, by number.
	SchedClasses []string `json:"schedClasses"`

	bit   map[string]uint32
	class map[int][]*form // scheduling class → forms that are not pseudos
	name  map[string]*form
	// tables is the source of incore's own tables, if that was another version of LLVM: it has the forms and classes that a model file may name.
	tables *formSource
}

type form struct {
	N   string   `json:"n"`
	O   []string `json:"o"`
	I   []string `json:"i"`
	MC  []int    `json:"mc"`
	Tie [][2]int `json:"tie"`
	U   []string `json:"u"`
	D   []string `json:"d"`
	F   uint32   `json:"f"`
	SC  int      `json:"sc"`
	own int      // the form's scheduling class in incore's tables
}

// renamedForms maps LLVM's new names of forms to the names in incore's tables (LLVM 19).
var renamedForms = map[string]string{
	"SDOT_ZZZ_BtoS": "SDOT_ZZZ_S", "SDOT_ZZZ_HtoD": "SDOT_ZZZ_D", "SDOT_ZZZI_BtoS": "SDOT_ZZZI_S", "SDOT_ZZZI_HtoD": "SDOT_ZZZI_D",
	"UDOT_ZZZ_BtoS": "UDOT_ZZZ_S", "UDOT_ZZZ_HtoD": "UDOT_ZZZ_D", "UDOT_ZZZI_BtoS": "UDOT_ZZZI_S", "UDOT_ZZZI_HtoD": "UDOT_ZZZI_D",
	"BFMMLA_ZZZ_HtoS": "BFMMLA_ZZZ",
}

// under converts forms of one version of LLVM to those of incore's tables, which were made from another version. It leaves out forms that the tables lack, or have with other
// operands.
func (s *formSource) under(tables *formSource) (left []string) {
	tables.index()
	s.tables = tables
	kept := s.Forms[:0]
	for _, f := range s.Forms {
		if n := renamedForms[f.N]; n != "" {
			f.N = n
		} else if n, ok := strings.CutSuffix(f.N, "_AQRL"); ok {
			f.N = n + "_AQ_RL"
		}
		t := tables.name[f.N]
		if t == nil {
			continue
		}
		if !slices.Equal(t.MC, f.MC) || !slices.Equal(t.Tie, f.Tie) {
			left = append(left, f.N)
			continue
		}
		f.own = t.SC
		kept = append(kept, f)
	}
	s.Forms = kept
	return left
}

func (s *formSource) index() {
	if s.class != nil {
		return
	}
	s.bit, s.class, s.name = map[string]uint32{}, map[int][]*form{}, map[string]*form{}
	for i, n := range s.Flags {
		s.bit[n] = 1 << i
	}
	for i := range s.Forms {
		f := &s.Forms[i]
		s.name[f.N] = f
		if f.F&s.bit["Pseudo"] == 0 && f.SC != 0 {
			s.class[f.SC] = append(s.class[f.SC], f)
		}
	}
}

// selectors names forms of one class of the model: by a class of incore's tables if all forms of that class are among them.
func (s *formSource) selectors(forms []*form) []string {
	if s.tables == nil {
		return []string{"@" + forms[0].N}
	}
	own := map[int][]*form{}
	var order []int
	for _, f := range forms {
		if own[f.own] == nil {
			order = append(order, f.own)
		}
		own[f.own] = append(own[f.own], f)
	}
	var out []string
	for _, k := range order {
		all := 0
		for _, f := range s.tables.class[k] {
			if s.name[f.N] != nil {
				all++
			}
		}
		if k != 0 && len(own[k]) == all {
			out = append(out, "@"+own[k][0].N)
			continue
		}
		for _, f := range own[k] {
			out = append(out, f.N)
		}
	}
	return out
}

func (s *formSource) is(f *form, flag string) bool { return f.F&s.bit[flag] != 0 }

// sched is sched-T-MODEL.json.
type sched struct {
	Target, LLVM, Model, Source string
	CPUs                        []string `json:"cpus"`
	Params                      struct {
		IssueWidth, MicroOpBufferSize, LoadLatency, MispredictPenalty int
	} `json:"params"`
	Extra *struct {
		ReorderBufferSize, MaxRetirePerCycle, LoadQueue, StoreQueue int
	} `json:"extra"`
	Coverage map[string]int      `json:"coverage"`
	Res      []resource          `json:"res"`
	Desc     []desc              `json:"desc"`
	Classes  []int               `json:"classes"`
	Variants map[string]variant  `json:"variants"`
	Preds    []any               `json:"preds"`
	Helpers  map[string][][2]any `json:"helpers"`
	Idioms   map[string][][2]any `json:"idioms"`
}

type variant struct {
	Alt [][2]int `json:"alt"` // predicate, class
	Def int      `json:"def"`
}

// resource is a processor resource: its own units, or a group of the units of other resources.
type resource struct {
	Name                 string
	Units, Super, Buffer int
	Members              []int
}

func (r *resource) UnmarshalJSON(b []byte) error {
	return tuple(b, &r.Name, &r.Units, &r.Super, &r.Buffer, &r.Members)
}

// desc is the cost of a scheduling class.
type desc struct {
	Uops, Flags int
	Lat         []write
	Uses        []use
	Advance     [][3]int // use index, write or 0, cycles
	RThru       float64
}

func (d *desc) UnmarshalJSON(b []byte) error {
	return tuple(b, &d.Uops, &d.Flags, &d.Lat, &d.Uses, &d.Advance, &d.RThru)
}

// write is the latency of a result and, if a read-advance names it, its number.
type write struct{ Cycles, ID int }

func (w *write) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return tuple(b, &w.Cycles, &w.ID)
	}
	return json.Unmarshal(b, &w.Cycles)
}

// use is the use of a resource from cycle Acquire to cycle Release.
type use struct{ Res, Release, Acquire int }

func (u *use) UnmarshalJSON(b []byte) error { return tuple(b, &u.Res, &u.Release, &u.Acquire) }

// tuple decodes a JSON array of fixed shape; missing trailing elements stay zero.
func tuple(b []byte, dst ...any) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	if len(raw) > len(dst) {
		return fmt.Errorf("%d elements in %s, expected at most %d", len(raw), b, len(dst))
	}
	for i, r := range raw {
		if err := json.Unmarshal(r, dst[i]); err != nil {
			return err
		}
	}
	return nil
}
