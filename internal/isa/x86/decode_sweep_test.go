package x86

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

// disassembled is one line of llvm-objdump.
type disassembled struct {
	addr uint64
	code []byte
	text string
}

// objdump calls do for every instruction that llvm-objdump finds in the executable sections of a file.
func objdump(t testing.TB, file string, do func(disassembled)) {
	t.Helper()
	path, err := exec.LookPath("llvm-objdump-19")
	if err != nil {
		t.Skip("llvm-objdump-19 is not installed")
	}
	cmd := exec.Command(path, "-d", "--no-leading-headers", "--no-print-imm-hex", file)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(pipe)
	for sc.Scan() {
		line := sc.Text()
		colon := strings.IndexByte(line, ':')
		tab := strings.IndexByte(line, '\t')
		if colon < 0 || tab < colon || line[0] != ' ' {
			continue
		}
		addr, err := strconv.ParseUint(strings.TrimSpace(line[:colon]), 16, 64)
		code, err2 := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(line[colon+1:tab]), " ", ""))
		if err != nil || err2 != nil {
			continue
		}
		do(disassembled{addr, code, line[tab+1:]})
	}
	_ = cmd.Wait()
}

// mcDisassemble returns what llvm-mc -show-inst prints for each instruction in the form of describe, "" where it reports an error.
func mcDisassemble(t testing.TB, codes [][]byte) []string {
	t.Helper()
	const separator = "GETSEC" // an instruction that no test has
	var in bytes.Buffer
	for _, c := range codes {
		for _, b := range c {
			if !bytes.HasSuffix(c, []byte{0x0f, 0x37}) {
				fmt.Fprintf(&in, "0x%02x ", b)
			}
		}
		in.WriteString("\n0x0f 0x37\n")
	}
	cmd := exec.Command(llvmMC(t), "--disassemble", "-show-inst", "-triple=x86_64-linux-gnu", "-mattr=+avx512f")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	_ = cmd.Run()
	res := make([]string, len(codes))
	cur, n := 0, 0
	for _, line := range strings.Split(out.String(), "\n") {
		if m := mcInst.FindStringSubmatch(line); m != nil {
			switch {
			case m[1] == separator:
				cur, n = cur+1, 0
			case m[1] == "LOCK_PREFIX":
			case cur < len(res):
				res[cur] = m[1]
				n++
			}
		} else if m := mcOp.FindStringSubmatch(strings.TrimSpace(line)); m != nil && cur < len(res) {
			res[cur] += " " + m[1] + ":" + m[2]
		}
	}
	for _, l := range strings.Split(errs.String(), "\n") {
		if f := strings.SplitN(l, ":", 4); len(f) == 4 && strings.Contains(f[3], "invalid instruction") {
			if n, err := strconv.Atoi(f[1]); err == nil && (n-1)/2 < len(res) {
				res[(n-1)/2] = ""
			}
		}
	}
	return res
}

// show is an instruction as mcDisassemble has it.
func show(in *isa.Inst) string { return describe([]isa.Inst{*in})[0] }

// TestSweep compares the decoder with llvm-objdump (lengths) and llvm-mc (forms, operands) on
// the executables and shared objects of this machine: some of them, or all files
// that match the patterns in INCORE_SWEEP (separated by colons).
func TestSweep(t *testing.T) {
	patterns := []string{"/usr/bin/[bgl][rsr]?p", "/usr/bin/ls", "/usr/lib/x86_64-linux-gnu/libm.so.6"}
	if s := os.Getenv("INCORE_SWEEP"); s != "" {
		patterns = strings.Split(s, ":")
	}
	var files []string
	for _, p := range patterns {
		m, _ := filepath.Glob(p)
		files = append(files, m...)
	}
	s := sweep{t: t, want: map[string]bool{}, causes: map[string]int{}}
	for _, f := range files {
		if data, err := os.ReadFile(f); err != nil || !bytes.HasPrefix(data, []byte("\x7fELF\x02\x01")) || data[18] != 62 {
			continue
		}
		s.files++
		objdump(t, f, s.one)
		if len(s.codes) > 100000 {
			s.forms()
		}
	}
	s.forms()
	if s.n == 0 {
		t.Skip("no ELF files to compare with")
	}
	t.Logf("%d files, %d instructions (%d distinct): %d of other length, %d of other form or operands, %d of other text",
		s.files, s.n, s.distinct, s.length, s.form, s.text)
	s.report()
	if s.length > 0 || float64(s.form) > 1e-4*float64(s.n) {
		t.Errorf("too many differences")
	}
}

type sweep struct {
	t                                      *testing.T
	files, n, distinct, length, form, text int
	want                                   map[string]bool // code seen
	codes                                  [][]byte
	addrs                                  []uint64
	causes                                 map[string]int
}

func (s *sweep) diff(kind string, args ...any) {
	k := kind + ": " + fmt.Sprintln(args...)
	s.causes[k]++
}

func (s *sweep) one(d disassembled) {
	s.n++
	var in isa.Inst
	n, err := decode(d.code, d.addr, &in)
	if strings.Contains(d.text, "<unknown>") {
		if err == nil {
			s.length++
			s.diff("we decode what llvm doesn't", hex.EncodeToString(d.code), show(&in))
		}
		return
	}
	if err != nil || n != len(d.code) {
		s.length++
		s.diff("length", hex.EncodeToString(d.code), d.text, n, err)
		return
	}
	if !s.want[string(d.code)] {
		s.distinct++
		s.want[string(d.code)] = true
		s.codes = append(s.codes, d.code)
	}
}

// forms compares forms and operands of the distinct codes collected.
func (s *sweep) forms() {
	for i, want := range mcDisassemble(s.t, s.codes) {
		var in isa.Inst
		// llvm-mc shows the distance itself: let the next instruction have address 0
		if _, err := decode(s.codes[i], -uint64(len(s.codes[i])), &in); err != nil {
			s.t.Errorf("%x: %v", s.codes[i], err)
		}
		if got := show(&in); got != want {
			s.form++
			s.diff("form", hex.EncodeToString(s.codes[i]), "got", got, "want", want)
		}
	}
	s.codes = s.codes[:0]
	if len(s.want) > 3e6 {
		clear(s.want)
	}
}

func (s *sweep) report() {
	var keys []string
	for k := range s.causes {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return s.causes[keys[i]] > s.causes[keys[j]] })
	for i, k := range keys {
		if i == 60 {
			break
		}
		s.t.Logf("%6d %s", s.causes[k], strings.TrimSpace(k))
	}
}
