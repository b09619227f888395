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
