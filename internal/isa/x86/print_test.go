package x86

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

var asError = regexp.MustCompile(`(?m)^[^:\n]+:(\d+):.*([Ee]rror)`)

// slot is the distance between the statements that assembleBytes assembles.
const slot = 32

// assembleBytes assembles each statement with an external assembler and returns
// its bytes (padded with nops to slot), nil where the assembler reports an error.
func assembleBytes(t *testing.T, command []string, header string, stmts []string) [][]byte {
	t.Helper()
	dir := t.TempDir()
	src, obj := filepath.Join(dir, "x.s"), filepath.Join(dir, "x.o")
	good := make([]bool, len(stmts))
	for i := range good {
		good[i] = true
	}
	var text []byte
	for pass := 0; pass < 3; pass++ {
		var b bytes.Buffer
		b.WriteString(header + "\n")
		for i, s := range stmts {
			if !good[i] {
				s = ""
			}
			fmt.Fprintf(&b, "%s ; .balign %d, 0x90\n", s, slot)
		}
		if err := os.WriteFile(src, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(command[0], append(append([]string(nil), command[1:]...), "-o", obj, src)...)
		out, err := cmd.CombinedOutput()
		if err == nil {
			f, err := elf.Open(obj)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if text, err = f.Section(".text").Data(); err != nil {
				t.Fatal(err)
			}
			break
		}
		for _, m := range asError.FindAllStringSubmatch(string(out), -1) {
			if n, _ := strconv.Atoi(m[1]); n >= 2 && n-2 < len(good) {
				good[n-2] = false
			}
		}
	}
	res := make([][]byte, len(stmts))
	at := 0
	for i := range stmts {
		if good[i] && at+slot <= len(text) {
			res[i] = text[at : at+slot]
			at += slot
		}
	}
	return res
}

// TestReassemble prints random instructions of every form and assembles the
// text again: same bytes, or another encoding of the same instruction.
func TestReassemble(t *testing.T) {
	for _, a := range []struct {
		name, tool, syntax, header string
		args                       []string
	}{
		{"llvm AT&T", "llvm-mc-19", "att", "", []string{"-triple=x86_64-linux-gnu", "-filetype=obj"}},
		{"llvm Intel", "llvm-mc-19", "intel", ".intel_syntax noprefix", []string{"-triple=x86_64-linux-gnu", "-filetype=obj"}},
		{"GNU AT&T", "as", "att", "", []string{"--64"}},
		{"GNU Intel", "as", "intel", ".intel_syntax noprefix", []string{"--64"}},
	} {
		t.Run(a.name, func(t *testing.T) {
			path, err := exec.LookPath(a.tool)
			if err != nil {
				t.Skipf("%s is not installed", a.tool)
			}
			reassemble(t, append([]string{path}, a.args...), a.header, a.syntax)
		})
	}
}

func reassemble(t *testing.T, command []string, header, syntax string) {
	rng := rand.New(rand.NewPCG(3, 4))
	c := codes()
	var stmts []string
	var bytesOf [][]byte
	var forms []isa.FormID
	for f := isa.FormID(1); int(f) < len(c.forms); f++ {
		if c.forms[f].sig == 0 || !c.sigs[c.forms[f].sig].Decode || unreachable[c.table.Name(f)] != "" {
			continue
		}
		in := randomInst(rng, f)
		if relOperand(&in) >= 0 {
			continue // a number as target is relocated by assemblers
		}
		code, err := encode(nil, &in, 0)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		stmts = append(stmts, string(printInst(nil, &in, syntax)))
		bytesOf, forms = append(bytesOf, code), append(forms, f)
	}
	same, other, longer := 0, 0, 0
	refused := map[string]int{}
	shown := 0
	show := func(format string, args ...any) {
		if f := fmt.Sprint(args...); strings.Contains(f, "_EVEX") || strings.Contains(f, "_N") || strings.Contains(f, "CCMP") {
			return
		}
		if shown++; shown <= 25 {
			t.Logf(format, args...)
		}
	}
	for i, got := range assembleBytes(t, command, header, stmts) {
		want := bytesOf[i]
		switch {
		case got == nil:
			refused[c.table.Name(forms[i])]++
			show("refused: %s (%s)", stmts[i], c.table.Name(forms[i]))
		case bytes.HasPrefix(got, want):
			same++
		default:
			var back isa.Inst
			n, err := decode(got, 0, &back)
			if err == nil && n == len(want) && string(printInst(nil, &back, syntax)) == stmts[i] {
				other++
				continue
			}
			longer++
			show("%s (%s): ours %x, assembled %s", stmts[i], c.table.Name(forms[i]), want, hex.EncodeToString(got[:max(n, 1)]))
		}
	}
	t.Logf("%d forms: %d same bytes, %d other encoding of the same text and length, %d different, %d refused", len(stmts), same, other, longer, len(refused))
	if accepted := len(stmts) - len(refused); float64(same+other) < 0.994*float64(accepted) {
		t.Errorf("too many differences")
	}
}

// TestEvexPrefix: the pseudo-prefix stands where an assembler would choose a VEX encoding without it, and nowhere else.
func TestEvexPrefix(t *testing.T) {
	for code, want := range map[string]string{
		"62f1fd081000": "{evex} vmovupd (%rax), %xmm0",
		"62f1fd481000": "vmovupd (%rax), %zmm0",
		"62f17d0874c9": "vpcmpeqb %xmm1, %xmm0, %k1", // VEX has no masks
		"62f1f70858c2": "{evex} vaddsd %xmm2, %xmm1, %xmm0",
		"62f17548fcc2": "vpaddb %zmm2, %zmm1, %zmm0",
		"62f17528fcc2": "{evex} vpaddb %ymm2, %ymm1, %ymm0",
		"62a17528fcc2": "vpaddb %ymm18, %ymm1, %ymm16", // nor these registers
	} {
		raw, err := hex.DecodeString(code)
		if err != nil {
			t.Fatal(err)
		}
		var in isa.Inst
		if _, err := decode(raw, 0, &in); err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		if got := string(printInst(nil, &in, "att")); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
