package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/compare"
	"incore/internal/web/api"
)

func (s *server) addTools(m *sdk.Server) {
	add(s, m, described{"analyze_loop", "Analyse a loop", "Predicts cycles per iteration of a loop, from assembly text or a file (assembly, object file or executable). Returns the limit, the headroom, changes that make it faster with their code, and how far to trust the figures."}, analyzeLoop)
	add(s, m, described{"compare", "Compare two versions of a loop", "Predicts whether a changed loop is faster than before, per unit of work (unrolling and wider vectors are accounted for), and why."}, compareLoops)
	add(s, m, described{"explain_instruction", "Explain an instruction", "Latency, reciprocal throughput, µops and ports of an instruction on CPU cores, with the source of each figure."}, explainInstruction)
	add(s, m, described{"find_loops", "Find the loops of a binary", "Lists the loops of an executable, object file or library, the likely hottest first, with predicted cycles. analyze_loop takes function and loop from here."}, findLoops)
	add(s, m, described{"list_machines", "List machines", "The CPU cores that can be analysed, with aliases and the accuracy of predictions."}, listMachines)
	if s.Measure != nil {
		add(s, m, described{"measure", "Measure code on this machine", "Runs a loop on this machine's CPU and returns measured cycles per iteration beside the prediction. Executes the code, in a process of its own with its own memory."}, measure)
	}
}

type analyzeInput struct {
	Code     string `json:"code,omitempty" jsonschema:"assembly text of the loop, GNU syntax of x86-64 (AT&T or Intel), AArch64 or RISC-V; best with its label and closing branch"`
	Path     string `json:"path,omitempty" jsonschema:"a file in place of code: assembly (.s), object file, executable or library"`
	Arch     string `json:"arch,omitempty" jsonschema:"machines, separated by commas, such as zen4 or skx,spr,neoverse-v2; default: this machine"`
	Syntax   string `json:"syntax,omitempty" jsonschema:"att or intel; default: detected"`
	Function string `json:"function,omitempty" jsonschema:"of an object file: the function, as find_loops names it"`
	Loop     whole  `json:"loop,omitempty" jsonschema:"of an object file: the number of the loop in its function, from find_loops; default: the first"`

	Iterations whole `json:"iterations,omitempty" jsonschema:"for a loop that is entered again and again for so few iterations: predict as well its cycles from entry to entry"`
}

// whole is a whole number that an int holds.
type whole int

// UnmarshalJSON refuses other numbers in words of the client.
func (n *whole) UnmarshalJSON(text []byte) error {
	var v int32
	if json.Unmarshal(text, &v) != nil {
		return fmt.Errorf("%.40s is no whole number of up to 31 bits", text)
	}
	*n = whole(v)
	return nil
}

func machines(arch string) []string {
	return strings.FieldsFunc(arch, func(r rune) bool { return r == ',' || r == ' ' })
}

func analyzeLoop(ctx context.Context, s *server, in analyzeInput) (*Analysis, *lines, error) {
	switch {
	case (strings.TrimSpace(in.Code) == "") == (in.Path == ""):
		return nil, nil, errors.New("give either code or path")
	case in.Function == "" && in.Loop != 0:
		return nil, nil, fmt.Errorf("loop %d of which function? Give function, too: find_loops lists both", in.Loop)
	case in.Code != "" && in.Function != "":
		return nil, nil, errNotObject
	}
	d, err := s.document(ctx, &in)
	if err != nil {
		return nil, nil, err
	}
	a := summarize(d)
	return a, a.lines(), nil
}

var errNotObject = errors.New("function and loop choose a loop of an object file, and this is assembly text: give the loop alone, without them")

// document analyses what the client names.
func (s *server) document(ctx context.Context, in *analyzeInput) (*report.Document, error) {
	text := in.Code
	if in.Path != "" {
		data, err := readFile(in.Path)
		if err != nil {
			return nil, err
		}
		if object.IsObject(data) {
			return s.binary(ctx, in, data)
		}
		if text = string(data); in.Function != "" {
			return nil, errNotObject
		}
	}
	return ask[report.Document](ctx, s, "analyze", map[string]any{"text": text, "arch": machines(in.Arch), "syntax": in.Syntax, "iterations": in.Iterations})
}

// binary analyses a loop of an object file, the likely hottest one if the client names none.
func (s *server) binary(ctx context.Context, in *analyzeInput, data []byte) (*report.Document, error) {
	q := url.Values{"name": {in.Path}, "arch": {in.Arch}, "function": {in.Function}, "syntax": {in.Syntax},
		"loop": {strconv.Itoa(int(in.Loop))}, "iterations": {strconv.Itoa(int(in.Iterations))}}
	if in.Function == "" {
		v, err := s.Answer(ctx, "object", url.Values{"name": {in.Path}, "arch": {in.Arch}}, data)
		if err != nil {
			return nil, err
		}
		list, ok := v.(*report.Loops)
		if !ok || len(list.Loops) == 0 {
			return nil, fmt.Errorf("%s has no loops", in.Path)
		}
		q.Set("function", list.Loops[0].Function)
		q.Set("loop", strconv.Itoa(list.Loops[0].Number))
	}
	v, err := s.Answer(ctx, "object", q, data)
	d, _ := v.(*report.Document)
	return d, err
}

// ask has the API answer a request, whose answer is a *T.
func ask[T any](ctx context.Context, s *server, path string, request any) (*T, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	v, err := s.Answer(ctx, path, nil, body)
	if err != nil {
		return nil, err
	}
	return v.(*T), nil
}

// readFile reads a file that the client names. Pipes and devices, whose reading might not end, are refused.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case name == "":
		return nil, errNoFile
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > api.MaxObject:
		return nil, fmt.Errorf("%s has %d bytes; at most %d can be read here", name, info.Size(), api.MaxObject)
	}
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".c", ".cc", ".cpp", ".cxx", ".rs", ".go", ".f90", ".zig":
		return nil, fmt.Errorf("%s is a source file: compile it first (gcc -O3 -S, or -c), and give the assembly or the object file", name)
	}
	return os.ReadFile(name)
}

type compareInput struct {
	Before string `json:"before" jsonschema:"assembly text of the loop as it was"`
	After  string `json:"after" jsonschema:"assembly text of the changed loop"`
	Arch   string `json:"arch,omitempty" jsonschema:"machines, separated by commas; default: this machine"`
	Syntax string `json:"syntax,omitempty" jsonschema:"att or intel; default: detected"`
}

func compareLoops(ctx context.Context, s *server, in compareInput) (*Comparison, *lines, error) {
	c, err := ask[api.Compared](ctx, s, "compare", map[string]any{"texts": []string{in.Before, in.After}, "names": []string{"before", "after"}, "arch": machines(in.Arch), "syntax": in.Syntax})
	if err != nil {
		return nil, nil, err
	}
	out := &Comparison{Loops: []ComparedLoop{}}
	for i := range c.Loops {
		for j := range c.Loops[i].Results {
			out.add(&c.Loops[i], &c.Loops[i].Results[j])
		}
	}
	for _, x := range c.Only {
		out.Only = append(out.Only, OnlyLoop{x.Version, x.Name, x.Arch, x.Cycles, x.AtLeast})
	}
	if len(out.Loops) == 0 {
		return nil, nil, errors.New("no loop of the code before matches one of the code after: give one loop each\n" + out.lines().String())
	}
	return out, out.lines(), nil
}

// add adds a loop on a machine.
func (c *Comparison) add(l *compare.Loop, r *compare.Result) {
	before, after := &r.Versions[0], &r.Versions[1]
	if before.Missing || after.Missing {
		return
	}
	x := ComparedLoop{Loop: l.Name, Machine: r.Arch, Before: before.Cycles, LeastBefore: before.AtLeast, After: after.Cycles / after.Times, LeastAfter: after.AtLeast, Work: after.Times, Change: after.Change, Incomparable: after.Incomparable, LimitBefore: before.Limit, LimitAfter: after.Limit, Why: after.Why}
	if x.Why == nil {
		x.Why = []string{}
	}
	x.Verdict = verdict(&x)
	c.Loops = append(c.Loops, x)
}

// unclear is the verdict on lower bounds.
const unclear = "unclear"

func verdict(x *ComparedLoop) string {
	switch {
	case x.Incomparable != "":
		return "incomparable"
	case x.LeastBefore || x.LeastAfter:
		return unclear
	case compare.Alike(x.Change):
		return "equal"
	case x.Change < 0:
		return "faster"
	}
	return "slower"
}

type explainInput struct {
	Instruction string `json:"instruction" jsonschema:"an instruction as assembly text, such as vfmadd213pd %ymm1,%ymm2,%ymm3, or an LLVM opcode name"`
	Arch        string `json:"arch,omitempty" jsonschema:"machines, separated by commas; default: this machine"`
	Syntax      string `json:"syntax,omitempty" jsonschema:"att or intel; default: detected"`
}

func explainInstruction(ctx context.Context, s *server, in explainInput) (*Explanation, *lines, error) {
	x, err := ask[report.Explanation](ctx, s, "explain", map[string]any{"instruction": in.Instruction, "arch": machines(in.Arch), "syntax": in.Syntax})
	if err != nil {
		return nil, nil, err
	}
	out := &Explanation{Instruction: x.Text, ISA: x.ISA, Forms: []Form{}}
	for i := range x.Instructions {
		out.Forms = append(out.Forms, form(&x.Instructions[i]))
	}
	var b strings.Builder
	if err := report.ExplainText(&b, x, report.TextOptions{Width: textWidth}); err != nil {
		return nil, nil, err
	}
	l := &lines{}
	l.add("%s", b.String())
	return out, l, nil
}

// errNoFile is the error of an empty file name.
var errNoFile = errors.New("the name of the file is empty")

type loopsInput struct {
	Binary string `json:"binary" jsonschema:"path of an executable, object file or library"`
	Arch   string `json:"arch,omitempty" jsonschema:"one machine; default: this machine"`
}

// maxLoops is the number of loops that find_loops lists.
const maxLoops = 30

func findLoops(ctx context.Context, s *server, in loopsInput) (*LoopList, *lines, error) {
	if m := machines(in.Arch); len(m) > 1 {
		return nil, nil, fmt.Errorf("arch names %d machines (%s); find_loops takes one", len(m), strings.Join(m, ", "))
	}
	data, err := readFile(in.Binary)
	if err != nil {
		return nil, nil, err
	}
	v, err := s.Answer(ctx, "object", url.Values{"name": {in.Binary}, "arch": {in.Arch}}, data)
	if err != nil {
		return nil, nil, err
	}
	list, least, unknown := v.(*report.Loops), false, false
	out, l := &LoopList{File: list.File, Machine: list.Arch, Count: len(list.Loops), Loops: []FoundLoop{}}, &lines{}
	l.add("%s in %s on %s, the likely hottest first:", report.Counted(out.Count, "loop"), list.File, list.Arch)
	for i := range list.Loops[:min(maxLoops, len(list.Loops))] {
		x := &list.Loops[i]
		out.Loops = append(out.Loops, FoundLoop{x.Function, x.Number, x.Address, x.Lines, x.Instructions, x.Vector.String(), x.Cycles, x.AtLeast, x.Unknown, x.Limit})
		l.add("%s loop %d (%s): %s, %s cycles, %s", x.Function, x.Number, strings.TrimSpace(x.Address+" "+x.Lines),
			report.Counted(x.Instructions, "instruction"), report.Brief(x.Cycles, x.AtLeast, x.Unknown), x.Limit)
		least, unknown = least || x.AtLeast, unknown || x.Unknown > 0
	}
	if n := out.Count - len(out.Loops); n > 0 {
		l.add("… %d more, less hot", n)
	}
	if least {
		l.add("≥: at least; the loop calls a function, or has an instruction whose time has no upper bound")
	}
	if unknown {
		l.add("?: the loop has instructions of unknown cost")
	}
	return out, l, nil
}

type machinesInput struct {
	Filter string `json:"filter,omitempty" jsonschema:"only machines whose name, alias, title or instruction set contains this text"`
}

func listMachines(ctx context.Context, s *server, in machinesInput) (*MachineList, *lines, error) {
	all, err := ask[api.MachineList](ctx, s, "machines", nil)
	if err != nil {
		return nil, nil, err
	}
	out, l, want := &MachineList{Machines: []Machine{}}, &lines{}, strings.ToLower(strings.TrimSpace(in.Filter))
	for i := range all.Machines {
		m := &all.Machines[i]
		if text := m.Name + "\n" + m.Title + "\n" + m.ISA + "\n" + strings.Join(m.Aliases, "\n"); !strings.Contains(strings.ToLower(text), want) {
			continue
		}
		out.Machines = append(out.Machines, Machine{m.Name, m.Title, m.ISA, append([]string{}, m.Aliases...), m.AccuracyText})
		l.add("%s (%s): %s", m.Name, m.ISA, m.Title)
	}
	if len(out.Machines) == 0 {
		return nil, nil, fmt.Errorf("no machine matches %q; an empty filter lists all %d", in.Filter, len(all.Machines))
	}
	return out, l, nil
}

type measureInput struct {
	Code   string `json:"code" jsonschema:"assembly text of a loop, with its label and closing branch"`
	Syntax string `json:"syntax,omitempty" jsonschema:"att or intel; default: detected"`
}

func measure(ctx context.Context, s *server, in measureInput) (*report.Measurement, *lines, error) {
	data, err := ask[json.RawMessage](ctx, s, "measure", map[string]any{"text": in.Code, "syntax": in.Syntax})
	if err != nil {
		return nil, nil, err
	}
	out := &report.Measurement{}
	if err := json.Unmarshal(*data, out); err != nil {
		return nil, nil, err
	}
	return out, measurementLines(out), nil
}
