package x86

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

// The oracle is llvm-mc of the LLVM version that the tables come from.

// llvmMC finds it or skips the test.
func llvmMC(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("llvm-mc-19")
	if err != nil {
		t.Skip("llvm-mc-19 is not installed")
	}
	return path
}

var (
	mcLabel = regexp.MustCompile(`^Lcase(\d+):`)
	mcInst  = regexp.MustCompile(`<MCInst #\d+ (\w+)`)
	mcOp    = regexp.MustCompile(`<MCOperand (Reg|Imm|Expr|SFPImm|DFPImm):(.*?)>+$`)
)

// assemble returns what llvm-mc -show-inst prints for each statement, one string
// per instruction in the form of describe; nil where it reports an error.
func assemble(t testing.TB, stmts []string, syntax string) [][]string {
	t.Helper()
	var in bytes.Buffer
	header := 0
	if syntax == "intel" {
		in.WriteString(".intel_syntax noprefix\n")
		header = 1
	}
	for i, s := range stmts {
		fmt.Fprintf(&in, "Lcase%d: %s\n", i, s)
	}
	cmd := exec.Command(llvmMC(t), "-show-inst", "-triple=x86_64-linux-gnu")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	_ = cmd.Run() // it fails if any statement is invalid

	res := make([][]string, len(stmts))
	cur, open := -1, false
	for _, line := range strings.Split(out.String(), "\n") {
		if m := mcLabel.FindStringSubmatch(line); m != nil {
			cur, _ = strconv.Atoi(m[1])
			open = false
		}
		if cur < 0 {
			continue
		}
		if m := mcInst.FindStringSubmatch(line); m != nil {
			res[cur] = append(res[cur], m[1])
			open = true
		}
		if m := mcOp.FindStringSubmatch(strings.TrimSpace(line)); m != nil && open {
			last := &res[cur][len(res[cur])-1]
			v := m[2]
			if m[1] == "Expr" {
				v = "" // texts differ in harmless ways
			}
			*last += " " + m[1] + ":" + v
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^<stdin>:(\d+):\d+: error`).FindAllStringSubmatch(errs.String(), -1) {
		if n, _ := strconv.Atoi(m[1]); n-1-header >= 0 && n-1-header < len(res) {
			res[n-1-header] = nil
		}
	}
	return res
}

// describe prints instructions as assemble does.
func describe(insts []isa.Inst) []string {
	var res []string
	for i := range insts {
		in := &insts[i]
		s := ISA().FormName(in)
		for _, o := range in.Ops[:in.NOps] {
			switch o.Kind {
			case isa.OpReg:
				s += fmt.Sprintf(" Reg:%d", o.Reg)
			case isa.OpImm:
				s += fmt.Sprintf(" Imm:%d", o.Imm)
			default:
				s += " Expr:"
			}
		}
		res = append(res, s)
	}
	return res
}

// agreement counts how our parser compares with the oracle.
type agreement struct {
	valid, resolved, sameForm, sameOps int
	lenient                            int // accepted by us only
	diffs, ours                        []string
}

func (a *agreement) String() string {
	pct := func(n int) float64 { return 100 * float64(n) / float64(max(1, a.valid)) }
	return fmt.Sprintf("%d statements: resolved %d (%.3f%%), same form %d (%.3f%%), same operands %d (%.3f%%); %d accepted by us only",
		a.valid, a.resolved, pct(a.resolved), a.sameForm, pct(a.sameForm), a.sameOps, pct(a.sameOps), a.lenient)
}

// joined leaves out the prefixes that LLVM takes for instructions of their own on one line with the next: here they belong to that.
func joined(insts []string) []string {
	var out []string
	for i, s := range insts {
		if i == len(insts)-1 || !strings.HasSuffix(s, "_PREFIX") {
			out = append(out, s)
		}
	}
	return out
}

func formsOf(insts []string) string {
	var f []string
	for _, s := range insts {
		name, _, _ := strings.Cut(s, " ")
		f = append(f, name)
	}
	return strings.Join(f, " ")
}

// compare parses the statements and compares with llvm-mc.
func compare(t testing.TB, stmts []string, syntax string) *agreement {
	t.Helper()
	var a agreement
	for i, want := range assemble(t, stmts, syntax) {
		insts, err := ISA().Parse(nil, stmts[i], syntax)
		if want == nil {
			if err == nil {
				a.lenient++
				a.ours = append(a.ours, "accepted by us only: "+stmts[i])
			}
			continue
		}
		a.valid++
		want = joined(want)
		if err != nil {
			a.diffs = append(a.diffs, fmt.Sprintf("%s\n\twant %s\n\terror %v", stmts[i], want, err))
			continue
		}
		a.resolved++
		got := describe(insts)
		if formsOf(got) == formsOf(want) {
			a.sameForm++
		}
		if strings.Join(got, ";") == strings.Join(want, ";") {
			a.sameOps++
		} else {
			a.diffs = append(a.diffs, fmt.Sprintf("%s\n\twant %s\n\tgot  %s", stmts[i], want, got))
		}
	}
	return &a
}
