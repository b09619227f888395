package main

import (
	"math"
	"testing"
)

// TestAppleTests reads a page of D. Johnson's measurements: a chain with cycles that are not of the instruction, copies, and a test without a result.
func TestAppleTests(t *testing.T) {
	page := `<h2>Test 1: uops</h2><p>Code:</p><pre>  fmov x0, d0</pre><p>Retires: 1.000</p>
<h2>Test 2: Latency 1-&gt;2</h2><p>Chain cycles: 2</p><p>Code:</p><pre>  fcsel d0, d1, d0, lt
  fcmp d0, d0</pre><p>Result (median cycles for code, minus 2 chain cycles): 2.004</p><p>Result (median cycles for code, minus 2 chain cycles): 2.001</p>
<h2>Test 3: throughput</h2><p>Count: 8</p><p>Code:</p><pre>  abs v0.16b, v8.16b</pre><p>Result (median cycles for code divided by count): 0.5</p>`
	got := appleTests(page)
	if len(got) != 2 || got[0].kind != "Latency 1->2" || len(got[0].code) != 2 || math.Abs(got[0].cycles-4.001) > 1e-9 || got[1].cycles != 4 {
		t.Errorf("%+v", got)
	}
}

// TestOsacaFigure reads cycles per cache line, and updates per second.
func TestOsacaFigure(t *testing.T) {
	stream := "Size (KByte) |   runtime   |  MFlop/s  |  cy/CL  |\n         1.0 |  0.30 |  1737.453 |   10.13 | 3\n         1.5 |  0.23 |  1743.871 |   10.08 | 3\n"
	if x, _ := osacaFigure(stream, 2.2); x != 10.08/8 {
		t.Errorf("%v cycles", x)
	}
	if x, _ := osacaFigure(" # Iterations:  20  Performance:    110.0       MLUPs\n", 2.2); x != 20 {
		t.Errorf("%v cycles per update", x)
	}
}

// TestGemmText reads rates and assembly of Compute Library: rates of three numbers of the first type, names for the compiler's operands, comments.
func TestGemmText(t *testing.T) {
	class := `get_performance_parameters { if (std::is_same<T, float>::value) { case CPUModel::A53: return { 1.43 }; case CPUModel::A55r1: return { 3.954, 1.252, 1.141 }; }
if (std::is_same<T, int8_t>::value) { case CPUModel::V1: return { 1, 2, 3 }; } } kern_type kernel=f;`
	if m := gemmRate.FindAllStringSubmatch(gemmRates(class), -1); len(m) != 1 || m[0][1] != "A55r1" || m[0][2] != "3.954" {
		t.Errorf("rates %v", m)
	}
	if got := withoutComment(`"bne 1b\n" // the "odd" case`); got != `"bne 1b\n" ` {
		t.Errorf("%q", got)
	}
	code := "ldr %q[a0], [%[ptr]]\nfmla v8.4s, %[a0].4s, v1.s[0]\nadd %x[ptr], %x[ptr], %[offset]\nmov w0, %w[n]\n"
	if got := gemmRegisters(code, `register float32x4_t a0  asm("v5");`); got != "ldr q5, [x2]\nfmla v8.4s, v5.4s, v1.s[0]\nadd x2, x2, #8\nmov w0, w1\n" {
		t.Errorf("%s", got)
	}
	for text, want := range map[string]float64{"fmla v0.4s, v1.4s, v2.s[0]": 4, "sdot z0.s, z1.b, z2.b": 32, "bfmmla v0.4s, v1.8h, v2.8h": 16, "smmla z0.s, z1.b, z2.b": 64, "add x0, x0, x1": 0} {
		if got := multiplyAdds(text, 256); got != want {
			t.Errorf("%s: %g multiply-adds, want %g", text, got, want)
		}
	}
}
