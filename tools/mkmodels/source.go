package main

import (
	"encoding/json"
	"fmt"
)

// formSource is what we need of forms-T.json.
type formSource struct {
	Flags []string            `json:"flags"`
	Forms []form              `json:"forms"`
	RVV   map[string][][3]int `json:"rvv"`
	bit   map[string]uint32
	class map[int][]*form // scheduling class → forms that are no pseudos
	name  map[string]*form
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
		RegisterFiles                                               []struct {
			Name string `json:"name"`
			Regs int    `json:"regs"`
		}
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

// resource is a processor resource: units of its own, or a group of others' units.
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
