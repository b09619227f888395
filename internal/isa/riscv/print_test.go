package riscv

import (
	"bytes"
	"fmt"
	"math/rand"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

// fillings returns random fillings of every encoding that decodes.
func fillings(n int) (words [][]byte) {
	rng := rand.New(rand.NewSource(3))
	e, a := isa.LoadFixedEnc(tables), ISA()
	var in isa.Inst
	for i := range e.Len() {
		for k := range n * 100 {
			w := rng.Uint32()&^e.Mask(i) | e.Value(i)
			b := []byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)}[:e.Size(i)]
			if _, err := a.Decode(b, 0, &in); err == nil && in.Form == e.Form(i) {
				words = append(words, b)
				if k >= n {
					break
				}
			}
		}
	}
	return words
}

// TestRoundTrip checks machine code → Decode → Encode, and → Print → Parse → Encode.
func TestRoundTrip(t *testing.T) {
	a := ISA()
	hit := map[isa.FormID]bool{}
	words := fillings(8)
	var in isa.Inst
	for _, w := range words {
		_, _ = a.Decode(w, 0, &in)
		hit[in.Form] = true
		got, err := a.Encode(nil, &in, 0)
		if err != nil || !bytes.Equal(got, w) {
			t.Errorf("% x %s: encoded % x, %v", w, ourInst(a, &in), got, err)
			continue
		}
		text := string(a.Print(nil, &in, ""))
		code, err := a.Parse(nil, text, "")
		if err != nil || len(code) != 1 {
			t.Errorf("% x: %q: %d instructions, %v", w, text, len(code), err)
			continue
		}
		if g, w := ourInst(a, &code[0]), ourInst(a, &in); g != w {
			t.Errorf("%q parses to %s, was %s", text, g, w)
			continue
		}
		if got, err := a.Encode(nil, &code[0], 0); err != nil || !bytes.Equal(got, w) {
			t.Errorf("% x: %q: encoded % x, %v", w, text, got, err)
		}
	}
	// every encoding outside RV32 and the excluded extensions must have been hit
	missed, total := 0, 0
	e := isa.LoadFixedEnc(tables)
	c := newCoder(a, newRegisters(a.Regs), defaultExt)
	for i := range e.Len() {
		if c.plans[i].skip {
			continue
		}
		if total++; !hit[e.Form(i)] && a.Forms.Name(e.Form(i)) != "C_ADDI_NOP" { // c.nop has the same bytes
			t.Errorf("%s never decoded", a.Forms.Name(e.Form(i)))
			missed++
		}
	}
	t.Logf("%d words of %d forms, %d forms missed", len(words), total, missed)
}

// TestPrintLLVM assembles the printed text with llvm-mc and compares the bytes.
func TestPrintLLVM(t *testing.T) {
	mc := tool(t, "llvm-mc-19", "llvm-mc")
	a := ISA()
	var texts []string
	var words [][]byte
	var in isa.Inst
	for _, w := range fillings(3) {
		_, _ = a.Decode(w, 0, &in)
		texts, words = append(texts, string(a.Print(nil, &in, ""))), append(words, w)
	}
	for csr := range 1 << 12 { // csrrs a0, csr, zero
		w := []byte{0x73, 0x25, byte(csr << 4), byte(csr >> 4)}
		_, _ = a.Decode(w, 0, &in)
		if newerCSRs[csrName(int64(csr))] {
			continue
		}
		texts, words = append(texts, string(a.Print(nil, &in, ""))), append(words, w)
	}
	out, errs := runTool(mc, texts, words)
	// The decoder takes register overlaps that the assembler refuses: drop those, once.
	dropped := 0
	for _, m := range overlapRE.FindAllStringSubmatch(errs, -1) {
		line, _ := strconv.Atoi(m[1])
		i := (line-3)/4 - dropped // runTool writes four lines for each
		texts, words = slices.Delete(texts, i, i+1), slices.Delete(words, i, i+1)
		dropped++
	}
	if dropped > 0 {
		out, errs = runTool(mc, texts, words)
	}
	enc := encodingRE.FindAllStringSubmatch(out, -1)
	if errs != "" || len(enc) != len(words) {
		t.Fatalf("llvm-mc took %d of %d statements: %s", len(enc), len(words), errs)
	}
	t.Logf("%d statements, %d more that llvm-mc refuses for overlapping vector registers", len(texts), dropped)
	for i, m := range enc {
		if w := hexBytes(m[1]); !bytes.Equal(w, words[i]) {
			t.Errorf("%q: llvm-mc assembles % x, was % x", texts[i], w, words[i])
		}
	}
}

// newerCSRs are names that LLVM 19 doesn't know yet.
var newerCSRs = map[string]bool{"sctrctl": true, "sctrstatus": true, "vsctrctl": true, "mctrctl": true, "mcyclecfg": true,
	"minstretcfg": true, "tinfo": true, "tcontrol": true, "mscontext": true}

var overlapRE = regexp.MustCompile(`<stdin>:(\d+):\d+: error: the destination vector register group cannot overlap`)

// runTool assembles statements, those of 32-bit words without compression.
func runTool(mc string, lines []string, words [][]byte) (out, errs string) {
	var src strings.Builder
	for i, l := range lines {
		before, after := "\n\n", "\n"
		if len(words[i]) == 4 {
			before, after = ".option push\n.option norvc\n", ".option pop\n"
		}
		fmt.Fprintf(&src, "%s%s\n%s", before, l, after)
	}
	cmd := exec.Command(mc, "-triple=riscv64", "-mattr="+decodeAttr, "-show-encoding", "-")
	cmd.Stdin = strings.NewReader(src.String())
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run()
	return o.String(), attrNoteRE.ReplaceAllString(e.String(), "")
}

// attrNoteRE matches notes on features and vtypes that are no errors.
var attrNoteRE = regexp.MustCompile(`(?m)^.*(is not a recognized feature|warning:).*\n((?:[^<\n].*\n)*)`)
