package block

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"incore/internal/base/parallel"
	"incore/internal/bench/host"
	"incore/internal/isa"
)

// Header is the first line of a results file.
const Header = "block,cycles,uncertainty,ghz,reason,registers"

// Body returns the straight code of a block, without the closing branch of a loop, and its number of
// instructions n. The error is a *host.Reason if the block cannot be measured.
func Body(a *isa.ISA, code []byte) (body []byte, n int, err error) {
	for at := 0; at < len(code); n++ {
		var in isa.Inst
		size, err := a.Decode(code[at:], uint64(at), &in)
		if err != nil {
			return nil, 0, &host.Reason{Kind: "undecodable", Msg: fmt.Sprintf("the bytes at offset %d are no instruction: %v", at, err)}
		}
		if a.Flow != nil {
			f := a.Flow(&in)
			if last := at+size == len(code); last && n > 0 && closes(f) {
				return code[:at], n, nil
			}
			if why := leaves(f.Kind); why != "" {
				return nil, 0, &host.Reason{Kind: "branch", Msg: why}
			}
		}
		at += size
	}
	if n == 0 {
		return nil, 0, &host.Reason{Kind: "empty", Msg: "is empty"}
	}
	return code, n, nil
}

// closes reports whether a branch at the end of a block can close a loop.
func closes(f isa.Flow) bool {
	if f.Kind != isa.FlowCond && f.Kind != isa.FlowJump {
		return false
	}
	return f.Target.Kind != isa.OpImm || f.Target.Imm == 0
}

// leaves returns the reason why an instruction of a kind cannot be part of straight code, "" if it can.
func leaves(k isa.FlowKind) string {
	switch k {
	case isa.FlowJump, isa.FlowCond, isa.FlowIndirect:
		return "has a branch inside; only straight code, or a loop that one branch at the end closes, can be measured"
	case isa.FlowCall:
		return "calls a function"
	case isa.FlowReturn:
		return "returns"
	}
	return ""
}

// row is one line of a results file.
type row struct {
	block  string // as given: machine code in hexadecimal, or assembly
	figure *Figure
	err    error // the reason why there is no figure
}

// fields returns the columns of a row.
func (r *row) fields() []string {
	if r.figure == nil {
		return []string{r.block, "", "", "", host.OneLine(r.err), ""}
	}
	f := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
	return []string{r.block, f(r.figure.Cycles), f(r.figure.Uncertainty), f(r.figure.GHz), "", strings.Join(r.figure.Chosen, "; ")}
}

// ReadCorpus reads a corpus, one block per line: in the first field of CSV or TSV, in hexadecimal; or as
// assembly, with statements separated by semicolons. It skips a header and comments (#).
func ReadCorpus(r io.Reader) ([]string, error) {
	var out []string
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<24)
	for first := true; s.Scan(); {
		line := trim(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		field := line // includes the blanks inside statements
		if i := strings.IndexAny(line, ",\t"); i >= 0 && (isCode(trim(line[:i])) || isTitle(line[:i])) {
			field = trim(line[:i])
		} else if line[0] == '"' {
			if f, err := csv.NewReader(strings.NewReader(line)).Read(); err == nil {
				field = trim(f[0])
			}
		}
		if first && isTitle(field) {
			first = false
			continue
		}
		first = false
		out = append(out, field)
	}
	return out, s.Err()
}

// trim removes blanks from both ends of a field, and the NULs that an interrupted write leaves.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r == 0 || unicode.IsSpace(r) })
}

func isTitle(s string) bool { return s == "block" || s == "hex" || s == "code" }

// IsHex reports whether a text is machine code in hexadecimal.
func IsHex(s string) bool {
	if s == "" || len(s)%2 != 0 {
		return false
	}
	_, err := hex.DecodeString(s)
	return err == nil
}

// isCode reports whether a field is machine code: hexadecimal, or a loop in place (HEX@OFFSET).
func isCode(s string) bool {
	code, _, _ := strings.Cut(s, "@")
	return IsHex(code)
}

// Done counts the measurements of each block in a results file, so that a run can resume. It returns the
// length of the file's valid part: an incomplete last line is not counted.
func Done(r io.Reader) (done map[string]int, valid int64, err error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	end := strings.LastIndexByte(string(b), '\n') + 1
	if first, _, _ := strings.Cut(string(b), "\n"); end > 0 && first != Header || end == 0 && !strings.HasPrefix(Header, first) {
		return nil, 0, fmt.Errorf("its first line is not %q, as of files that this version writes; name a new file", Header)
	}
	c := csv.NewReader(strings.NewReader(string(b[:end])))
	rows, err := c.ReadAll()
	if err != nil {
		return nil, 0, fmt.Errorf("reading earlier measurements: %w", err)
	}
	done = map[string]int{}
	for i, f := range rows {
		// results that were too noisy are measured again
		if i > 0 && !strings.HasPrefix(f[4], host.UnstablePrefix) {
			done[f[0]]++
		}
	}
	return done, int64(end), nil
}

// Left returns the blocks of a corpus that are not measured yet. A corpus may contain a block several times.
func Left(blocks []string, done map[string]int) (left []string) {
	for _, b := range blocks {
		if done[b] > 0 {
			done[b]--
		} else {
			left = append(left, b)
		}
	}
	return left
}

// Corpus holds the conditions under which the blocks of a corpus are measured.
type Corpus struct {
	Blocks   []string
	Jobs     [][]int                                                              // the CPUs of each concurrent measurement (host.Jobs)
	One      func(ctx context.Context, block string, cpus []int) (*Figure, error) // measures a block
	Progress func(done, failed int)                                               // reports progress; nil: none
}

// Measure measures the blocks and writes their rows in order, each as soon as possible. It stops between two blocks when ctx ends, so that
// all written rows are complete.
func (c *Corpus) Measure(ctx context.Context, w io.Writer) error {
	out := csv.NewWriter(w)
	failed := 0
	return parallel.Ordered(ctx, len(c.Jobs), len(c.Blocks), func(ctx context.Context, worker, i int) (*row, error) {
		f, err := c.One(ctx, c.Blocks[i], c.Jobs[worker])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var why *host.Reason
		if err != nil && !errors.As(err, &why) {
			return nil, err
		}
		if why != nil && why.Kind == "unsupported" {
			return nil, why
		}
		return &row{c.Blocks[i], f, err}, nil
	}, func(i int, r *row) error {
		if r.err != nil {
			failed++
		}
		out.Write(r.fields())
		if out.Flush(); out.Error() != nil {
			return fmt.Errorf("writing measurements: %w", out.Error())
		}
		if c.Progress != nil {
			c.Progress(i+1, failed)
		}
		return nil
	})
}

// maxRegs is the largest size of a register file in bytes; usual files have some hundred bytes.
const maxRegs = 1 << 20

// readAtMost reads a file, which may be a pipe or a device, up to limit bytes.
func readAtMost(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%s: more than %d bytes; a file of registers has a line 'register=value' for each", name, limit)
	}
	return b, err
}

// ReadRegs reads initial values of registers, one "name=value" or "name value" per line, and # comments. It
// returns them by encoding number.
func ReadRegs(name string, a *Arch) (map[int]uint64, error) {
	b, err := readAtMost(name, maxRegs)
	if err != nil {
		return nil, err
	}
	out := map[int]uint64{}
	for i, l := range strings.Split(string(b), "\n") {
		l, _, _ = strings.Cut(l, "#")
		f := strings.Fields(strings.Replace(l, "=", " ", 1))
		if len(f) == 0 {
			continue
		}
		if len(f) != 2 {
			return nil, fmt.Errorf("%s:%d: want 'register=value'", name, i+1)
		}
		n := a.Number(a.ISA.Regs.Spelled(strings.TrimPrefix(strings.ToLower(f[0]), "%")))
		if n < 0 {
			return nil, fmt.Errorf("%s:%d: %s is no 64-bit general-purpose register", name, i+1, f[0])
		}
		v, err := strconv.ParseUint(f[1], 0, 64)
		if err != nil {
			s, err2 := strconv.ParseInt(f[1], 0, 64)
			if err2 != nil {
				return nil, fmt.Errorf("%s:%d: value %s: %w", name, i+1, f[1], errors.Unwrap(err))
			}
			v = uint64(s)
		}
		out[n] = v
	}
	return out, nil
}
