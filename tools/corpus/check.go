package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"incore/internal/asm"
	"incore/internal/base/parallel"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
)

// Requirements of check: the shares of instructions that must resolve, and resolve to the form that llvm-mc
// names.
const (
	minResolved = 0.9995
	minSame     = 0.999
)

// judges are the folders of a corpus, the instruction set and the syntax that must be detected there, and
// llvm-mc's arguments.
var judges = []struct {
	dir, isa, syntax string
	args             []string
}{
	{"x86-att", "x86-64", "att", []string{"-triple=x86_64-linux-gnu"}},
	{"x86-intel", "x86-64", "intel", []string{"-triple=x86_64-linux-gnu", "-x86-asm-syntax=intel"}},
	{"aarch64", "aarch64", "", []string{"-triple=aarch64-linux-gnu", "-mattr=+all"}},
	// without C: compression would hide the form in the text
	{"riscv", "riscv64", "", []string{"-triple=riscv64-linux-gnu", "-mattr=+m,+a,+f,+d,+v,+zba,+zbb,+zbs,+zfh,+zvfh,+zicond"}},
}

// tally counts the instructions of a folder.
type tally struct {
	files, insts, resolved, same, refused int
	diffs                                 map[string][]string // difference → positions
}

// check compares every file of a corpus, read as incore reads any file, with llvm-mc's reading.
func check(dir string) error {
	mc, err := exec.LookPath("llvm-mc-19")
	if err != nil {
		return fmt.Errorf("llvm-mc-19 (package llvm-19) is needed to check: %w", err)
	}
	var failed []error
	for _, j := range judges {
		files, err := filepath.Glob(filepath.Join(dir, j.dir, "*.s"))
		if err != nil {
			return err
		}
		if len(files) == 0 {
			continue
		}
		t := tally{diffs: map[string][]string{}}
		var mu sync.Mutex
		parallel.For(len(files), func(i int) {
			path := files[i]
			ours, err := readOurs(path, j.isa, j.syntax)
			var theirs []string
			refused := map[int]bool{}
			if err == nil {
				theirs, refused, err = readTheirs(mc, j.args, path)
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", path, err))
				return
			}
			t.add(filepath.Base(path), ours, theirs, refused)
		})
		t.print(j.dir)
		if float64(t.resolved) < minResolved*float64(t.insts) || float64(t.same) < minSame*float64(t.insts) {
			failed = append(failed, fmt.Errorf("%s: %d of %d resolved, %d of the same form", j.dir, t.resolved, t.insts, t.same))
		}
	}
	return errors.Join(failed...)
}

// formLine is an instruction as incore reads it.
type formLine struct {
	line       int
	form, text string
}

// readOurs parses a file with automatic detection of instruction set and syntax.
func readOurs(path, wantISA, wantSyntax string) ([]formLine, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := source.New(path, data)
	if err != nil {
		return nil, err
	}
	p, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()})
	if err != nil {
		return nil, err
	}
	if got := p.Language; got.ISA.Name != wantISA || got.Syntax != wantSyntax {
		return nil, fmt.Errorf("detected as %s %s", got.ISA.Name, got.Syntax)
	}
	var out []formLine
	var lines []isa.Line
	for i := range p.Len() {
		lines = p.Lines(lines[:0], i)
		for k := range lines {
			out = append(out, formLine{lines[k].No, p.Language.ISA.FormName(&lines[k].Inst), lines[k].Text})
		}
	}
	return out, nil
}

var (
	instLine = regexp.MustCompile(`<MCInst #\d+ (\w+)`)
	errLine  = regexp.MustCompile(`(?m)^<stdin>:(\d+):\d+: error:`)
	// Lines that are removed before llvm-mc reads the text: RISC-V's attributes, which would enable
	// compression, and line markers, which would change the line numbers of errors.
	dropLine = regexp.MustCompile(`(?m)^(\s*\.attribute\b|# \d+ ").*$`)
)

// readTheirs returns the forms that llvm-mc names, in order, and the lines that it rejects.
func readTheirs(mc string, args []string, path string) (forms []string, refused map[int]bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	text = dropLine.ReplaceAll(text, nil)
	cmd := exec.Command(mc, append([]string{"-show-inst"}, args...)...)
	var out, msg bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &out, &msg
	err = cmd.Run()
	refused = map[int]bool{}
	for _, m := range errLine.FindAllStringSubmatch(msg.String(), -1) {
		n, _ := strconv.Atoi(m[1])
		refused[n] = true
	}
	if err != nil && len(refused) == 0 {
		return nil, nil, fmt.Errorf("llvm-mc: %w: %s", err, firstLine(msg.String()))
	}
	for _, m := range instLine.FindAllStringSubmatch(out.String(), -1) {
		// incore includes prefixes in the instruction, and treats the TLS call mark as a directive
		if !strings.HasSuffix(m[1], "_PREFIX") && m[1] != "TLSDESCCALL" {
			forms = append(forms, m[1])
		}
	}
	return forms, refused, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// resync is the largest distance within which the two sequences are searched for the next agreement.
const resync = 12

// add compares two sequences of forms.
func (t *tally) add(file string, ours []formLine, theirs []string, refused map[int]bool) {
	t.files++
	var kept []formLine
	for _, o := range ours {
		switch {
		case refused[o.line]:
			t.refused++
		case !strings.HasSuffix(o.form, "_PREFIX"):
			kept = append(kept, o)
		}
	}
	t.insts += len(kept)
	for _, o := range kept {
		if o.form != "?" {
			t.resolved++
		}
	}
	for i, j := 0, 0; i < len(kept); {
		o := kept[i]
		if j < len(theirs) && o.form == theirs[j] {
			t.same++
			i, j = i+1, j+1
			continue
		}
		other := "nothing"
		if j < len(theirs) {
			other = theirs[j]
		}
		mnemonic, _, _ := strings.Cut(strings.ReplaceAll(o.text, "\t", " "), " ")
		what := fmt.Sprintf("%s: %s, llvm-mc %s", mnemonic, o.form, other)
		t.diffs[what] = append(t.diffs[what], fmt.Sprintf("'%s' in %s:%d", o.text, file, o.line))
		di, dj := agree(kept[i:], theirs[min(j, len(theirs)):])
		i, j = i+di, j+dj
	}
}

// agree returns the smallest steps after which both sequences agree again.
func agree(ours []formLine, theirs []string) (di, dj int) {
	for n := 1; n <= 2*resync; n++ {
		for di = max(1, n-resync); di <= min(n, resync); di++ {
			dj = n - di
			if di < len(ours) && dj < len(theirs) && ours[di].form == theirs[dj] &&
				(di+1 >= len(ours) || dj+1 >= len(theirs) || ours[di+1].form == theirs[dj+1]) {
				return di, dj
			}
		}
	}
	return 1, 1
}

// maxDiffs is the largest number of kinds of differences that are printed.
const maxDiffs = 40

func (t *tally) print(dir string) {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, t.insts)) }
	fmt.Printf("%-10s %4d files %8d instructions, resolved %.4f %%, same form as llvm-mc %.4f %%, refused by llvm-mc %d\n",
		dir, t.files, t.insts, share(t.resolved), share(t.same), t.refused)
	var l []string
	for d := range t.diffs {
		l = append(l, d)
	}
	sort.Slice(l, func(i, j int) bool {
		if a, b := len(t.diffs[l[i]]), len(t.diffs[l[j]]); a != b {
			return a > b
		}
		return l[i] < l[j]
	})
	for i, d := range l {
		if i == maxDiffs {
			fmt.Printf("    … and %d more kinds\n", len(l)-i)
			break
		}
		fmt.Printf("    %d × %s, as %s\n", len(t.diffs[d]), d, slices.Min(t.diffs[d]))
	}
}
