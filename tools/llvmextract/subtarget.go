package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// subtarget is the content of -gen-subtarget's output.
type subtarget struct {
	models   []schedModel
	cpus     map[string]string             // CPU → model
	variants map[int]map[int][]alternative // processor id → class → alternatives
	idioms   map[string][]idiom            // function → rows of all processors
}

// schedModel is one scheduling model.
type schedModel struct {
	name   string
	params object
	id     int // processor id
	width  int
	res    []resource
	extra  any // processor description, nil if there is none
	rows   []classRow
}

// resource is a processor resource; index 0 of a model is unused.
type resource struct {
	name    string
	units   int
	super   int
	buffer  int
	members []int
}

// classRow is a scheduling class in a model.
type classRow struct {
	uops      int
	flags     int // 1 BeginGroup, 2 EndGroup, 4 RetireOOO
	uses      []use
	latencies [][]int // cycles, write id
	advance   [][]int // use index, write id, cycles
}

// use is the use of a resource from acquire to release.
type use struct{ res, release, acquire int }

// alternative is one choice of a variant class.
type alternative struct {
	pred  any
	class int
}

// idiom is a row of a predicate about processors: the processors, the opcodes and the condition.
type idiom struct {
	procs   []int
	opcodes []string
	expr    any
}

// Numbers of micro-ops that mark a class (MCSchedClassDesc).
const (
	invalidUops = 8191
	variantUops = 8190
)

var (
	classArray  = regexp.MustCompile(`MCSchedClassDesc (\w+)SchedClasses\[\] = \{\n`)
	classLine   = regexp.MustCompile(`\{DBGFIELD\((.*?)\)\s*(\d+), (\w+), (\w+), (\w+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+)\}`)
	modelHead   = regexp.MustCompile(`static const llvm::MCSchedModel (\w+) = \{\n`)
	resLine     = regexp.MustCompile(`\{"(\w+)",\s*(\d+), (\d+), (-?\d+)(?:, ([^}]*))?\}`)
	cpuLine     = regexp.MustCompile(`^ \{ "([^"]+)", .*&(\w+) \},$`)
	costLine    = regexp.MustCompile(`\{ \w+::(\w+)RegClassID, (\d+), (\d+)`)
	regFileLine = regexp.MustCompile(`\{ "(\w+)", (\d+), (\d+), (\d+), (\d+), (\d+)`)
	variantFunc = regexp.MustCompile(`unsigned resolveVariantSchedClassImpl\(unsigned SchedClass,\s*const MCInst \*MI, const MCInstrInfo \*MCII,(?: const MCSubtargetInfo &STI,)? unsigned CPUID\) \{`)
	idiomFunc   = regexp.MustCompile(`bool \w+::(\w+)\(const MCInst &MI[^)]*\) const \{`)
)

func readSubtarget(target, text string) (*subtarget, error) {
	mc := section(text, "GET_SUBTARGETINFO_MC_DESC")
	s := &subtarget{cpus: map[string]string{}, variants: map[int]map[int][]alternative{}, idioms: map[string][]idiom{}}
	rows, err := readClassRows(target, mc)
	if err != nil {
		return nil, err
	}
	for _, m := range modelHead.FindAllStringSubmatch(mc, -1) {
		model, err := readModel(mc, m[1], rows[m[1]])
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m[1], err)
		}
		s.models = append(s.models, model)
	}
	lines, _ := array(mc, target+"SubTypeKV")
	for _, l := range lines {
		if m := cpuLine.FindStringSubmatch(l); m != nil {
			s.cpus[m[1]] = m[2]
		}
	}
	if err := s.readVariants(mc); err != nil {
		return nil, err
	}
	return s, s.readIdioms(section(text, "GET_STIPREDICATE_DEFS_FOR_MC_ANALYSIS"))
}

// readClassRows reads the classes of all models.
func readClassRows(target, mc string) (map[string][]classRow, error) {
	table := func(name string) (out [][]int) {
		lines, _ := array(mc, target+name)
		for _, l := range lines {
			out = append(out, rowInts(l))
		}
		return out
	}
	resources, latencies, advances := table("WriteProcResTable"), table("WriteLatencyTable"), table("ReadAdvanceTable")
	out := map[string][]classRow{}
	for _, head := range classArray.FindAllStringSubmatchIndex(mc, -1) {
		name := mc[head[2]:head[3]]
		body, _, _ := strings.Cut(mc[head[1]:], "\n};")
		rows := []classRow{}
		for _, m := range classLine.FindAllStringSubmatch(body, -1) {
			r := classRow{}
			r.uops, _ = strconv.Atoi(m[2])
			for i, flag := range m[3:6] {
				if flag == "true" {
					r.flags |= 1 << i
				}
			}
			var at [6]int // first and number in each of the three tables
			for i := range at {
				at[i], _ = strconv.Atoi(m[6+i])
			}
			if at[0]+at[1] > len(resources) || at[2]+at[3] > len(latencies) || at[4]+at[5] > len(advances) {
				return nil, fmt.Errorf("class %s of %s points outside its tables", m[1], name)
			}
			for _, u := range resources[at[0] : at[0]+at[1]] {
				r.uses = append(r.uses, use{u[0], u[1], u[2]})
			}
			r.latencies, r.advance = latencies[at[2]:at[2]+at[3]], advances[at[4]:at[4]+at[5]]
			rows = append(rows, r)
		}
		if n := strings.Count(body, "DBGFIELD"); n != len(rows) {
			return nil, fmt.Errorf("%s: read %d of %d classes", name, len(rows), n)
		}
		out[name] = rows
	}
	return out, nil
}

// paramNames are the first members of MCSchedModel.
var paramNames = []string{"IssueWidth", "MicroOpBufferSize", "LoopMicroOpBufferSize", "LoadLatency", "HighLatency", "MispredictPenalty",
	"PostRAScheduler", "CompleteModel", "EnableIntervals", "id"}

// paramDefaults are the values of MCSchedModel::Default*.
var paramDefaults = map[string]int{"IssueWidth": 1, "MicroOpBufferSize": 0, "LoopMicroOpBufferSize": 0, "LoadLatency": 4, "HighLatency": 10,
	"MispredictPenalty": 10}

func readModel(mc, name string, rows []classRow) (schedModel, error) {
	m := schedModel{name: name, params: object{}, rows: rows}
	lines, ok := value(mc, name)
	if !ok || len(lines) < len(paramNames) {
		return m, fmt.Errorf("no definition")
	}
	for i, k := range paramNames {
		v := strings.TrimSuffix(strings.TrimSpace(uncomment(lines[i])), ",")
		if d, ok := strings.CutPrefix(v, "MCSchedModel::Default"); ok {
			m.params[k] = paramDefaults[d]
		} else if v == "true" || v == "false" {
			m.params[k] = v == "true"
		} else if n, err := strconv.Atoi(v); err == nil {
			m.params[k] = n
		} else {
			return m, fmt.Errorf("%s = %q", k, v)
		}
	}
	m.id, m.width = m.params["id"].(int), m.params["IssueWidth"].(int)
	m.res = readResources(mc, name)
	m.extra = readExtra(mc, name)
	return m, nil
}

func readResources(mc, name string) []resource {
	lines, _ := array(mc, " "+name+"ProcResources")
	subLines, ok := array(mc, " "+name+"ProcResourceSubUnits")
	subs := []int{}
	for _, l := range subLines {
		if ok {
			subs = append(subs, ints(uncomment(l))...)
		}
	}
	out := []resource{}
	for _, l := range lines {
		m := resLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		r := resource{name: m[1], members: []int{}}
		r.units, _ = strconv.Atoi(m[2])
		r.super, _ = strconv.Atoi(m[3])
		r.buffer, _ = strconv.Atoi(m[4])
		if _, off, ok := strings.Cut(m[5], "+"); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(off)); err == nil && n+r.units <= len(subs) {
				r.members = subs[n : n+r.units]
			}
		}
		out = append(out, r)
	}
	return out
}

// readExtra reads a model's MCExtraProcessorInfo: reorder buffer, retirement, register files, queues.
func readExtra(mc, name string) any {
	lines, ok := value(mc, name+"ExtraInfo")
	if !ok {
		return nil
	}
	field := func(i int) int {
		v, _, _ := strings.Cut(strings.TrimSpace(lines[i]), ",")
		n, _ := strconv.Atoi(v)
		return n
	}
	costLines, _ := array(mc, " "+name+"RegisterCosts")
	costs := [][]any{}
	for _, m := range costLine.FindAllStringSubmatch(strings.Join(costLines, "\n"), -1) {
		costs = append(costs, []any{m[1], atoi(m[2]), atoi(m[3])})
	}
	fileLines, _ := array(mc, " "+name+"RegisterFiles")
	files := []object{}
	for i, m := range regFileLine.FindAllStringSubmatch(strings.Join(fileLines, "\n"), -1) {
		if i == 0 {
			continue // the invalid register file
		}
		n, first := atoi(m[3]), atoi(m[4])
		files = append(files, object{"name": m[1], "regs": atoi(m[2]), "classes": costs[first : first+n], "maxMovesEliminated": atoi(m[5]), "zeroOnly": atoi(m[6])})
	}
	return object{"ReorderBufferSize": field(0), "MaxRetirePerCycle": field(1), "RegisterFiles": files,
		"LoadQueue": field(len(lines) - 2), "StoreQueue": field(len(lines) - 1)}
}

// atoi converts digits that a regular expression has matched.
func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// processors returns the processor ids that a condition tests for ("CPUID == 3 || …").
func processors(cond any) ([]int, error) {
	l, ok := cond.([]any)
	if !ok || len(l) == 0 {
		return nil, fmt.Errorf("condition %v is no test of the processor", cond)
	}
	tests := []any{cond}
	if l[0] == "or" {
		tests = l[1:]
	}
	var out []int
	for _, t := range tests {
		if t, ok := t.([]any); ok && len(t) == 3 && t[0] == "var" {
			if id, ok := t[2].(int); ok {
				out = append(out, id)
				continue
			}
		}
		return nil, fmt.Errorf("condition %v is no test of the processor", t)
	}
	return out, nil
}

// readVariants reads the function that resolves variant classes: a switch over the
// class, in it ifs over the processor, in them ifs over the instruction.
func (s *subtarget) readVariants(mc string) error {
	for _, f := range functions(mc, variantFunc) {
		body, err := parseCpp(f.body)
		if err != nil {
			return err
		}
		for _, sw := range body {
			if sw.kind != "switch" {
				continue
			}
			for _, c := range sw.cases {
				if err := s.addVariants(c); err != nil {
					return fmt.Errorf("variants of class %v: %w", c.labels, err)
				}
			}
			return nil
		}
	}
	return nil
}

func (s *subtarget) addVariants(c switchCase) error {
	for _, byCPU := range c.body {
		if byCPU.kind != "if" {
			continue
		}
		if _, ok := byCPU.expr.([]any); !ok {
			continue
		}
		ids, err := processors(byCPU.expr)
		if err != nil {
			return err
		}
		alts, err := alternatives(byCPU.body)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if s.variants[id] == nil {
				s.variants[id] = map[int][]alternative{}
			}
			for _, l := range c.labels {
				s.variants[id][atoi(l)] = alts
			}
		}
	}
	return nil
}

func alternatives(body []stmt) ([]alternative, error) {
	var out []alternative
	for _, x := range body {
		pred, ret := any(true), x
		if x.kind == "if" {
			if len(x.body) != 1 {
				return nil, fmt.Errorf("unexpected statements under a condition")
			}
			pred, ret = x.expr, x.body[0]
		}
		class, ok := ret.expr.(int)
		if ret.kind != "return" || !ok {
			return nil, fmt.Errorf("unexpected %s statement", ret.kind)
		}
		out = append(out, alternative{pred, class})
		if x.kind == "return" {
			break
		}
	}
	return out, nil
}

// readIdioms reads the predicates about zero idioms, dependency breaking and register moves.
func (s *subtarget) readIdioms(text string) error {
	for _, f := range functions(text, idiomFunc) {
		body, err := parseCpp(f.body)
		if err != nil {
			return fmt.Errorf("%s: %w", f.head[1], err)
		}
		for _, sw := range body {
			for _, c := range sw.cases {
				var opcodes []string
				for _, l := range c.labels {
					if l != "default" {
						opcodes = append(opcodes, unqualified(l))
					}
				}
				for _, x := range c.body {
					if x.kind != "if" || opcodes == nil {
						continue
					}
					ids, err := processors(x.expr)
					if err != nil {
						return fmt.Errorf("%s: %w", f.head[1], err)
					}
					for _, y := range x.body {
						if y.kind == "return" {
							s.idioms[f.head[1]] = append(s.idioms[f.head[1]], idiom{ids, opcodes, y.expr})
							break
						}
					}
				}
			}
		}
	}
	return nil
}
