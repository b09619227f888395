package riscv

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

func tool(t testing.TB, names ...string) string {
	t.Helper()
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Skipf("%s not installed", names[0])
	return ""
}

// mcInst is an instruction as llvm-mc -show-inst prints it.
type mcInst struct {
	form string
	ops  []string // "Reg:53", "Imm:4", "Expr:(foo)"
}

var (
	mcInstRE = regexp.MustCompile(`<MCInst #\d+ (\w+)`)
	mcOpRE   = regexp.MustCompile(`<MCOperand (.*?)>+$`)
)

// llvmAssemble returns what llvm-mc makes of each statement, nil where it rejects one.
func llvmAssemble(t testing.TB, attr string, stmts []string) [][]mcInst {
	t.Helper()
	mc := tool(t, "llvm-mc-19", "llvm-mc")
	var src bytes.Buffer
	for i, s := range stmts {
		fmt.Fprintf(&src, "incore_%d:\n%s\n", i, s)
	}
	cmd := exec.Command(mc, "-triple=riscv64", "-mattr="+attr, "-show-inst", "-filetype=asm", "-")
	cmd.Stdin = &src
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	_ = cmd.Run() // statements it rejects make it fail; the others are still printed
	out := make([][]mcInst, len(stmts))
	cur := -1
	for _, line := range strings.Split(stdout.String(), "\n") {
		if n, ok := strings.CutPrefix(line, "incore_"); ok {
			n, _, _ = strings.Cut(n, ":")
			cur, _ = strconv.Atoi(n)
			continue
		}
		if cur < 0 {
			continue
		}
		if m := mcInstRE.FindStringSubmatch(line); m != nil {
			out[cur] = append(out[cur], mcInst{form: m[1]})
		} else if m := mcOpRE.FindStringSubmatch(strings.TrimRight(line, " ")); m != nil && len(out[cur]) > 0 {
			last := &out[cur][len(out[cur])-1]
			last.ops = append(last.ops, m[1])
		}
	}
	return out
}

// ourInst renders an instruction in the same way; symbolic values as "Expr".
func ourInst(a *isa.ISA, in *isa.Inst) string {
	var b strings.Builder
	b.WriteString(a.FormName(in))
	for i := range int(in.NOps) {
		switch o := in.Ops[i]; o.Kind {
		case isa.OpReg:
			fmt.Fprintf(&b, " Reg:%d", o.Reg)
		case isa.OpImm:
			fmt.Fprintf(&b, " Imm:%d", o.Imm)
		default:
			b.WriteString(" Expr")
		}
	}
	return b.String()
}

func (m mcInst) String() string {
	s := m.form
	for i, o := range m.ops {
		if strings.HasPrefix(o, "Expr") {
			o = "Expr"
		}
		// LLVM's text path leaves 0 where vmerge and the like read the mask v0
		if i == 3 && o == "Imm:0" && maskedByName.MatchString(m.form) {
			o = "Reg:11"
		}
		s += " " + o
	}
	return s
}

var maskedByName = regexp.MustCompile(`^V(MERGE|FMERGE|ADC|SBC|MADC|MSBC)_V[VXIF]M$`)

// TestLLVMTests compares with llvm-mc on the instruction lines of LLVM's own tests,
// each file under the extensions of its own RUN lines, when INCORE_LLVM_TESTS names
// their folder (llvm/test/MC/RISCV).
func TestLLVMTests(t *testing.T) {
	dir := os.Getenv("INCORE_LLVM_TESTS")
	if dir == "" {
		t.Skip("INCORE_LLVM_TESTS is not set")
	}
	var sum tally
	for _, f := range findFiles(t, dir, ".s") {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		stmts := statements(t, f)
		seen := map[string]bool{}
		for _, attr := range runAttrs(string(data)) {
			if seen[attr] {
				continue
			}
			seen[attr] = true
			sum.compare(t, attr, stmts)
		}
	}
	sum.log(t)
}

var runRE = regexp.MustCompile(`RUN:.*llvm-mc.*`)
var attrRE = regexp.MustCompile(`-mattr=?\s*([\w.,+-]+)`)

// runAttrs returns the -mattr of each RUN line for RV64.
func runAttrs(src string) []string {
	src = strings.ReplaceAll(src, "\\\n# RUN:", "")
	var out []string
	for _, l := range runRE.FindAllString(src, -1) {
		if !strings.Contains(l, "riscv64") && strings.Contains(l, "triple") {
			continue
		}
		attr := "+m,+a"
		for _, m := range attrRE.FindAllStringSubmatch(l, -1) {
			attr += "," + m[1]
		}
		out = append(out, attr)
	}
	return out
}

// tally sums up a comparison over many statements.
type tally struct {
	given, taken, resolved, same int
	refused                      []string       // statements that llvm-mc does not take
	count                        map[string]int // weight of each statement, 1 if nil
}

func (sum *tally) weight(stmt string) int {
	if sum.count == nil {
		return 1
	}
	return sum.count[stmt]
}

// compare compares forms and operands with llvm-mc and logs every difference. Each
// statement is assembled without compression if it can be.
func (sum *tally) compare(t *testing.T, attr string, stmts []string) {
	a := build(func(ext string) bool { return strings.Contains(attr+",", "+"+ext+",") })
	want := llvmAssemble(t, attr+",-c,-zcb,-zcmop,-zca,-zcd,-zcmp,-zcmt,-zce", stmts)
	full := llvmAssemble(t, attr, stmts)
	for i, s := range stmts {
		w := sum.weight(s)
		sum.given += w
		if want[i] == nil {
			want[i] = full[i]
		}
		if want[i] == nil {
			sum.refused = append(sum.refused, s)
			continue
		}
		sum.taken += w
		got, err := a.Parse(nil, s, "")
		if err != nil {
			t.Logf("unresolved: %q: %v (want %v)", s, err, want[i])
			continue
		}
		sum.resolved += w
		var exp, g []string
		for _, m := range want[i] {
			exp = append(exp, m.String())
		}
		for k := range got {
			g = append(g, ourInst(a, &got[k]))
		}
		if strings.Join(exp, "; ") == strings.Join(g, "; ") {
			sum.same += w
		} else {
			t.Logf("differs: %q (%s)\n\twant %s\n\tgot  %s", s, attr, strings.Join(exp, "; "), strings.Join(g, "; "))
		}
	}
}

func (sum *tally) log(t *testing.T) {
	t.Logf("%d statements, %d taken by llvm-mc: %d resolved (%.3f %%), %d with the same forms and operands (%.3f %%)", sum.given, sum.taken,
		sum.resolved, 100*float64(sum.resolved)/float64(max(1, sum.taken)), sum.same, 100*float64(sum.same)/float64(max(1, sum.taken)))
}

func findFiles(t *testing.T, dir, ext string) []string {
	t.Helper()
	var out []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		p := dir + "/" + e.Name()
		if e.IsDir() {
			out = append(out, findFiles(t, p, ext)...)
		} else if strings.HasSuffix(p, ext) {
			out = append(out, p)
		}
	}
	return out
}

var labelRE = regexp.MustCompile(`^\s*("[^"]*"|[\w.$]+):`)

// statements returns the instruction statements of an assembly file.
func statements(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, line := range strings.Split(string(data), "\n") {
		if i := strings.Index(line, "//"); i >= 0 {
			line = line[:i]
		}
		if i := strings.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		for _, s := range strings.Split(line, ";") {
			for m := labelRE.FindString(s); m != ""; m = labelRE.FindString(s) {
				s = s[len(m):]
			}
			s = strings.TrimSpace(s)
			if s != "" && (s[0] != '.' || strings.HasPrefix(s, ".insn")) {
				out = append(out, s)
			}
		}
	}
	return out
}
