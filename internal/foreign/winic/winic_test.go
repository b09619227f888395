package winic

import (
	"bytes"
	"compress/gzip"
	"math"
	"strings"
	"testing"
)

const text = `---
- llvmName:        FMLAv2f64
  operands:
    - class:           register
      name:            FPR128
  latency:         4
  operandLatencies:
    - sourceOperand:   '0'
      targetOperand:   '0'
      latencyMin:      2
      latencyMax:      3
    - sourceOperand:   FPCR
      targetOperand:   '0'
      latencyMin:      null
      latencyMax:      null
  throughputMin:   0.28
  throughputMax:   0.28
- llvmName:        STRXui
  throughputMin:   -2
`

func TestRead(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(text))
	w.Close()
	for _, in := range []string{text, z.String()} {
		f, err := Read(strings.NewReader(in))
		if err != nil || len(f) != 2 || f[0].Name != "FMLAv2f64" || len(f[0].Pairs) != 2 {
			t.Fatalf("%+v, %v", f, err)
		}
		p := f[0].Pairs
		if p[0].From != "0" || p[0].To != "0" || !math.IsNaN(p[0].Cycles.Exact()) || p[0].Cycles.Nearest(4) != 3 || p[0].Cycles.Nearest(2.5) != 2.5 {
			t.Errorf("%+v", p[0])
		}
		if p[1].From != "FPCR" || !math.IsNaN(p[1].Cycles.Nearest(1)) || f[0].RThru.Exact() != 0.28 || !math.IsNaN(f[1].RThru.Exact()) {
			t.Errorf("%+v", f)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for in, want := range map[string]string{"": "no file of WINIC's", "name: zen5\n": "no file of WINIC's", "\x1f\x8bxx": "EOF",
		"- llvmName: X\n  throughputMin: fast\n": `line 2: throughputMin of X: "fast" is no number`} {
		if _, err := Read(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

// FuzzRead: no file makes the reader panic; what it reads has a name, and ranges are numbers of cycles or not known.
func FuzzRead(f *testing.F) {
	f.Add(text)
	f.Add("- llvmName: x\n  throughputMin: 1e999\n")
	f.Add("- llvmName:\n  sourceOperand: a\n  latencyMin: nan\n")
	f.Add("\x1f\x8b\x08")
	f.Fuzz(func(t *testing.T, in string) {
		forms, err := Read(strings.NewReader(in))
		if err != nil {
			return
		}
		for i := range forms {
			for _, r := range append([]Range{forms[i].RThru}, ranges(forms[i].Pairs)...) {
				if r.Min < 0 || r.Max < 0 || math.IsInf(r.Min, 0) || math.IsInf(r.Max, 0) {
					t.Errorf("%q: %+v", in, r)
				}
			}
		}
	})
}

func ranges(pairs []Pair) (out []Range) {
	for _, p := range pairs {
		out = append(out, p.Cycles)
	}
	return out
}
