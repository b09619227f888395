// Package published reads latencies and throughputs of instructions that other tools measured: llvm-exegesis (YAML), ibench and asmbench (as OSACA reads them) and
// InstLatX64's tables. It finds the instruction form that each line means.
package published

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"incore/internal/base/finite"
	"incore/internal/base/regex"
	"incore/internal/isa"
)

// Figure is what was measured of an instruction; NaN: not measured.
type Figure struct {
	Name    string // as the file names it
	Form    isa.FormID
	Latency float64
	RThru   float64 // reciprocal throughput
}

// File is what a file holds.
type File struct {
	Kind    string
	Figures []Figure
	Left    []string // lines with figures that no form was found for
}

// The kinds of files.
const (
	Exegesis = "llvm-exegesis"
	Ibench   = "ibench"
	Asmbench = "asmbench"
	InstLat  = "InstLatX64"
)

var (
	ibenchLine   = regex.Lazy(`^\s*([\w.]+)-([\w.]*)-(TP|LT)\s*:\s*([0-9.]+)\s*\(clk cycles\)`)
	asmbenchHead = regex.Lazy(`^\s*([\w.]+)-([\w.]+)\s*$`)
	asmbenchLine = regex.Lazy(`^\s*(Latency|Throughput):\s*([0-9.]+)\s*cycles`)
	instLatLine  = regex.Lazy(`^\s*\d+\s+\S+\s*:\s*(.+?)\s+L:\s*(\S.*?)\s+T:\s*(\S.*)$`)
	cyclesIn     = regex.Lazy(`=\s*([0-9.]+)\s*c\b`)
)

// Read reads a file of any of the kinds, for an instruction set.
func Read(data []byte, set *isa.ISA) (*File, error) {
	if head := data[:min(len(data), 1<<16)]; exegesisStart().Match(head) && exegesisKey().Match(head) {
		return exegesis(data, set)
	}
	r := &reader{file: &File{}, set: set, index: map[isa.FormID]int{}, numbered: bytes.Contains(data, []byte("r1_32"))}
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		r.line(strings.TrimRight(s.Text(), "\r"))
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return r.done()
}

// reader collects figures.
type reader struct {
	file  *File
	set   *isa.ISA
	index map[isa.FormID]int
	head  string // of asmbench: the instruction of the next lines
	form  isa.FormID
	// numbered: registers that differ have numbers (r1_32, r2_32, xmm1); those without are the same register.
	numbered bool
}

func (r *reader) done() (*File, error) {
	if r.file.Kind == "" {
		return nil, errors.New("holds no results of llvm-exegesis, ibench, asmbench or InstLatX64")
	}
	return r.file, nil
}

// line reads a line of text formats.
func (r *reader) line(s string) {
	if m := ibenchLine().FindStringSubmatch(s); m != nil {
		r.file.Kind = Ibench
		v := cyclesOf(m[4])
		name := m[1] + "-" + m[2]
		if m[3] == "TP" {
			r.add(name, r.named(m[1], m[2]), math.NaN(), v)
		} else {
			r.add(name, r.named(m[1], m[2]), v, math.NaN())
		}
		return
	}
	if m := asmbenchLine().FindStringSubmatch(s); m != nil && r.head != "" {
		r.file.Kind = Asmbench
		v := cyclesOf(m[2])
		if m[1] == "Latency" {
			r.add(r.head, r.form, v, math.NaN())
		} else {
			r.add(r.head, r.form, math.NaN(), v)
		}
		return
	}
	if m := instLatLine().FindStringSubmatch(s); m != nil {
		r.file.Kind = InstLat
		lat, tp := number(m[2]), number(m[3])
		if !math.IsNaN(lat) || !math.IsNaN(tp) {
			r.add(m[1], r.intel(m[1]), lat, tp)
		}
		return
	}
	if m := asmbenchHead().FindStringSubmatch(s); m != nil {
		r.head, r.form = m[1]+"-"+m[2], r.named(m[1], m[2])
	}
}

// number reads "0.25ns=   1.0c"; NaN for words.
func number(s string) float64 {
	m := cyclesIn().FindStringSubmatch(s)
	if m == nil {
		return math.NaN()
	}
	return cyclesOf(m[1])
}

// cyclesOf reads a number of cycles; NaN for what is none, negative or infinite.
func cyclesOf(s string) float64 {
	if v, err := strconv.ParseFloat(s, 64); err == nil && v >= 0 && finite.Number(v) {
		return v
	}
	return math.NaN()
}

// add adds figures of a form to those that are there.
func (r *reader) add(name string, f isa.FormID, latency, rthru float64) {
	if math.IsNaN(latency) && math.IsNaN(rthru) {
		return
	}
	if f == isa.NoForm {
		if n := len(r.file.Left); n == 0 || r.file.Left[n-1] != name {
			r.file.Left = append(r.file.Left, name)
		}
		return
	}
	i, ok := r.index[f]
	if !ok {
		i = len(r.file.Figures)
		r.index[f] = i
		r.file.Figures = append(r.file.Figures, Figure{name, f, math.NaN(), math.NaN()})
	}
	x := &r.file.Figures[i]
	if math.IsNaN(x.Latency) {
		x.Latency = latency
	}
	if math.IsNaN(x.RThru) {
		x.RThru = rthru
	}
}

// named finds the form of a mnemonic with operand kinds ("vaddpd", "xmm_xmm_mem"), the result first.
func (r *reader) named(mnemonic, kinds string) isa.FormID {
	return r.parsed(mnemonic, strings.FieldsFunc(kinds, func(c rune) bool { return c == '_' }))
}

// intel finds the form of InstLatX64's text, "VADDPD xmm, xmm, m128".
func (r *reader) intel(text string) isa.FormID {
	if _, after, ok := strings.Cut(text, "}"); ok && strings.HasPrefix(text, "{") { // {VEX}: the encoding
		text = after
	}
	mnemonic, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	var ops []string
	for _, o := range strings.Split(rest, ",") {
		o = strings.TrimSpace(o)
		if strings.HasPrefix(o, "[m") { // [m64]
			o = strings.Trim(o, "[]")
		}
		if o != "" {
			ops = append(ops, o)
		}
		if n := len(ops); r.numbered && n > 1 && ops[n-1] == ops[n-2] {
			return isa.NoForm // one register twice: an idiom, or a chain of another kind
		}
	}
	return r.parsed(mnemonic, ops)
}

// parsed makes an instruction of operand kinds and reads it.
func (r *reader) parsed(mnemonic string, kinds []string) isa.FormID {
	text, syntax := strings.ToLower(mnemonic), r.set.Syntaxes[len(r.set.Syntaxes)-1] // Intel's on x86
	for i, k := range kinds {
		op := operand(strings.ToLower(k), i, r.set.Name)
		if op == "" {
			return isa.NoForm
		}
		if i == 0 {
			text += " " + op
		} else {
			text += ", " + op
		}
	}
	insts, err := r.set.Parse(nil, text, syntax)
	if err != nil || len(insts) != 1 {
		return isa.NoForm
	}
	return insts[0].Form
}

var (
	// x86Registers avoid the accumulator, which has forms of its own.
	x86Registers   = map[string][]string{"64": {"rdx", "rcx", "rbx", "rsi"}, "32": {"edx", "ecx", "ebx", "esi"}, "16": {"dx", "cx", "bx", "si"}, "8": {"dl", "cl", "bl", "sil"}}
	x86Sizes       = map[string]string{"8": "byte ptr ", "16": "word ptr ", "32": "dword ptr ", "64": "qword ptr ", "128": "xmmword ptr ", "256": "ymmword ptr ", "512": "zmmword ptr "}
	sized          = regex.Lazy(`^(r|m|mem|imm|i)(\d+)$`)
	numberedKind   = regex.Lazy(`^r(\d)_(\d+)$`)
	vectorRegister = regex.Lazy(`^([xyz]?mm|k)\d$`)
	lanes          = regex.Lazy(`^v?(\d*)([bhsd])$`)
)

// operand makes an operand of a kind; "" if the kind is not known.
func operand(kind string, n int, set string) string {
	if set == "x86-64" {
		return x86Operand(kind, n)
	}
	switch kind {
	case "x", "w", "d", "s", "q", "h", "b":
		return fmt.Sprintf("%s%d", kind, n+1)
	case "imd", "imm", "i":
		return "#1"
	case "mem":
		return "[x9]"
	}
	if m := lanes().FindStringSubmatch(kind); m != nil && (kind[0] == 'v' || m[1] != "") {
		count := m[1]
		if count == "" {
			count = map[string]string{"b": "16", "h": "8", "s": "4", "d": "2"}[m[2]]
		}
		return fmt.Sprintf("v%d.%s%s", n+1, count, m[2])
	}
	return ""
}

func x86Operand(kind string, n int) string {
	switch kind {
	case "gpr", "r":
		return x86Registers["64"][n%4]
	case "xmm", "ymm", "zmm", "mm", "k":
		return fmt.Sprintf("%s%d", kind, n+1)
	case "mem", "m":
		return "[rax]"
	case "imd", "imm", "i":
		return "1"
	case "cl", "al", "ax", "eax", "rax":
		return kind
	case "1":
		return "1"
	}
	if m := numberedKind().FindStringSubmatch(kind); m != nil { // r1_64
		if l := x86Registers[m[2]]; l != nil {
			return l[int(m[1][0]-'0')%4]
		}
	}
	if vectorRegister().MatchString(kind) {
		return kind
	}
	if m := sized().FindStringSubmatch(kind); m != nil {
		switch m[1] {
		case "r":
			if l := x86Registers[m[2]]; l != nil {
				return l[n%4]
			}
		case "m", "mem":
			if s := x86Sizes[m[2]]; s != "" {
				return s + "[rax]"
			}
		default:
			return "1"
		}
	}
	return ""
}
