package dyndeps

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/report"
)

const kernels = "testdata/kernels"

// covered builds a kernel, runs it and returns its coverage in a scope.
func covered(t *testing.T, c target, name, opt string, scope Scope) (*Coverage, *Trace) {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	p := compile(t, out, c.cc, "-"+opt, "-g", "-static", filepath.Join(kernels, name+".c"), filepath.Join(kernels, "main.c"))
	model, _ := machine.Default(c.isa)
	m, err := machine.GetFor(c.isa, model)
	if err != nil {
		t.Fatal(err)
	}
	tr := observe(t, p, Options{})
	if tr.Exit != "" {
		t.Fatalf("%s: %s", name, tr.Exit)
	}
	return tr.Cover(scope, m, DefaultWindow), tr
}

// TestCoverKnown checks the protocol on kernels whose dependences are known.
func TestCoverKnown(t *testing.T) {
	for _, c := range long.Some(targets[:2], 1) {
		for name, want := range map[string]struct {
			found uint64  // pairs
			own   float64 // share of what the loop itself carries
		}{
			"copy": {}, "triad": {}, "reverse": {}, "scale_in_place": {}, // no loop carries any
			"fib": {1, 1}, "prefix_sum_int": {1, 1}, "livermore5": {1, 1}, "complex_recurrence": {1, 1},
			"histogram": {0, 0}, // by data: cannot be found
		} {
			t.Run(c.isa+"/"+name, func(t *testing.T) {
				need(t, c.cc, c.emulator)
				cov, _ := covered(t, c, name, "O1", ScopeLoop)
				r := &cov.Rows[len(cov.Rows)-1]
				if r.Lifetime != 512 {
					t.Fatalf("the last row is of lifetime %d", r.Lifetime)
				}
				own, some := r.Own.Weighted()
				if r.Found < want.found || want.found == 0 && r.Found > 0 || own != want.own {
					t.Errorf("%d found, %.3f of what the loops carry (any: %v), want %d, %g", r.Found, own, some, want.found, want.own)
				}
				if len(cov.Extra) > 0 {
					t.Errorf("found and never seen: %+v", cov.Extra)
				}
			})
		}
	}
}

// TestCoverProtocol checks what is left out: rare blocks, and pairs of different blocks.
func TestCoverProtocol(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".S", `
	.globl _start
	.type _start, @function
_start:	mov $1000, %ecx
	lea b(%rip), %rsi
hot:	addl $1, (%rsi)
	mov %eax, 8(%rsi)
	test $15, %cl
	jnz skip
	addl $1, 16(%rsi)
	nop
skip:	mov 8(%rsi), %eax
	dec %ecx
	jnz hot
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, .-_start
	.bss
b:	.skip 64`, "-nostdlib", "-static")
	m, err := machine.Get("skylake-server")
	if err != nil {
		t.Fatal(err)
	}
	tr := observe(t, p, Options{})
	c := tr.Cover(ScopeBlock, m, 0)
	// Blocks hot and skip; the one between is executed 62 of 1000 times. What skip reads was written in hot.
	if got := c.Rows[0].Tally; c.Code != 2 || got != (Tally{Found: 1, FoundCount: 999}) {
		t.Errorf("%d blocks, %+v, want 2 and one dependence found, 999 times", c.Code, got)
	}
	if bare := tr.Cover(ScopeBare, m, 0); bare.Rows[0].Tally != c.Rows[0].Tally {
		t.Errorf("without what leads to them: %+v", bare.Rows[0].Tally)
	}
	// The likeliest way through the loop has both ends.
	c = tr.Cover(ScopeLoop, m, 0)
	if got := c.Rows[0].Tally; c.Code != 1 || got.Found < 2 || got.Missed != 0 {
		t.Errorf("%d loops, %+v, want 1 and two or more dependences found", c.Code, got)
	}
}

// TestCoverKernels holds the analysis against all kernels. What a loop itself carries it must find, but for what
// depends on data (histogram, scatter_add); what loops around carry it cannot. The stores and loads that it
// relates must be related.
func TestCoverKernels(t *testing.T) {
	long.Only(t, "runs all kernels under QEMU")
	files, err := filepath.Glob(filepath.Join(kernels, "*.c"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d kernels: %v", len(files), err)
	}
	byData := map[string]bool{"histogram": true, "histogram_few": true, "scatter_add": true}
	for _, c := range targets[:2] {
		t.Run(c.isa, func(t *testing.T) {
			need(t, c.cc, c.emulator)
			var all, own Tally
			for _, f := range files {
				name := strings.TrimSuffix(filepath.Base(f), ".c")
				if name == "main" {
					continue
				}
				cov, tr := covered(t, c, name, "O1", ScopeLoop)
				r := &cov.Rows[len(cov.Rows)-1]
				all.sum(&r.Tally)
				if !byData[name] {
					own.sum(&r.Own)
				}
				for _, e := range cov.Extra {
					t.Errorf("%s: found and never seen in %d iterations: %s -> %s", name, e.Runs, tr.where(e.From), tr.where(e.To))
				}
			}
			w, _ := all.Weighted()
			o, _ := own.Weighted()
			t.Logf("lifetime 512: cov_w %.1f %%, %.1f %% of what the loops carry, data apart: %+v", 100*w, 100*o, own)
			if w < 0.75 || o < 0.95 {
				t.Errorf("cov_w %.3f, own %.3f, want at least 0.75, 0.95", w, o)
			}
		})
	}
}

// TestCoverWithin checks that looking ahead and lifetimes are both in instructions, whatever µops they are.
func TestCoverWithin(t *testing.T) {
	c := targets[1]
	need(t, c.cc, c.emulator)
	// 80 iterations of 4 instructions, the first of which is two µops, lie between a store and the load of it.
	p := build(t, c.cc, ".S", `.globl _start
_start:	adrp x0, buf
	add x0, x0, :lo12:buf
	mov w2, 1000
1:	ldr x1, [x0, 8]!
	str x1, [x0, 640]
	subs w2, w2, 1
	b.ne 1b
	mov x8, 93
	mov x0, 0
	svc 0
	.bss
buf:	.skip 16384
`, "-nostdlib", "-static")
	m, err := machine.Get("neoverse-v2")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		lifetime uint64
		window   int
		row      Tally
	}{
		{0, 330, Tally{Found: 1, FoundCount: 920}},
		{0, 250, Tally{Missed: 1, MissedCount: 920}},
		{330, 330, Tally{Found: 1, FoundCount: 920}},
		{310, 330, Tally{}},
	} {
		cov := observe(t, p, Options{Lifetime: x.lifetime}).Cover(ScopeLoop, m, x.window)
		if r := &cov.Rows[0]; r.Lifetime != x.lifetime || r.Tally != x.row || x.lifetime > 0 && len(cov.Rows) != 1 {
			t.Errorf("lifetime %d, %d ahead: %+v, want %+v", x.lifetime, x.window, cov.Rows, x.row)
		}
	}
}

// TestResume checks that an experiment's file is read back, whole programs only.
func TestResume(t *testing.T) {
	share := func(s Scope, n uint64) Share {
		sh := Share{Scope: s, Code: 3, Static: 4, Extra: 1}
		for _, l := range []uint64{0, 1024, 512} {
			sh.Rows = append(sh.Rows, Row{l, Tally{n, 2, 30, 4}, Tally{1, 0, 7, 0}})
		}
		return sh
	}
	var subjects []*Subject
	for i, name := range []string{"a", "b", "c"} {
		subjects = append(subjects, &Subject{Program: name, Key: "key " + name, Scopes: []Share{share(ScopeBare, 1), share(ScopeBlock, uint64(i)), share(ScopeLoop, 5)}})
	}
	var b bytes.Buffer
	if err := Header(&b); err != nil {
		t.Fatal(err)
	}
	whole := 0
	for i, s := range subjects {
		if err := s.CSV(&b); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			failed := Subject{Program: "x", Key: "kx", Failure: "exit status 3, \"quoted\""}
			if err := failed.CSV(&b); err != nil {
				t.Fatal(err)
			}
			whole = b.Len()
		}
	}
	cut := b.Bytes()[:b.Len()-40]
	done, valid, err := ReadCSV(bytes.NewReader(cut))
	if err != nil || int(valid) != whole || len(done) != 2 || !reflect.DeepEqual(done["key b"], subjects[1]) {
		t.Errorf("%d programs, %d of %d bytes valid, %v\n%+v", len(done), valid, whole, err, done["key b"])
	}
	if _, _, err := ReadCSV(strings.NewReader("block,cycles\n")); err == nil {
		t.Error("another CSV file is taken")
	}
	if done, valid, err := ReadCSV(strings.NewReader("")); err != nil || valid != 0 || len(done) != 0 {
		t.Errorf("empty file: %v, %d, %v", done, valid, err)
	}
}

// TestRender checks that the renderings of a report agree with it.
func TestRender(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".S", recurrence[x86.isa], "-nostdlib", "-static")
	r := observe(t, p, Options{}).Describe("")
	var text, js, csv bytes.Buffer
	for _, err := range []error{r.Text(&text, 1), report.JSON(&js, r), r.CSV(&csv)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for out, want := range map[string]string{text.String(): "9,940  store  load", js.String(): `"count": 9940,`, csv.String(): ",9940,15,15.00,15,9940,9940,load,3,false,9940"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestRefused checks what is said of a file that cannot be run.
func TestRefused(t *testing.T) {
	need(t, x86.cc)
	dir := t.TempDir()
	src, out := filepath.Join(dir, "f.c"), filepath.Join(dir, "f.o")
	if err := os.WriteFile(src, []byte("int f(void) { return 1; }"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(x86.cc, "-c", "-o", out, src).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f, err := object.Open(out, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(f); err == nil || !strings.Contains(err.Error(), "an executable is needed") {
		t.Errorf("got %v", err)
	}
}

// FuzzReadCSV: no file that --resume is pointed at makes the reader panic, and what it keeps are whole programs in the file's beginning.
func FuzzReadCSV(f *testing.F) {
	head := strings.Join(columns, ",") + "\n"
	f.Add(head)
	f.Add(head + "p,k,all,1,2,3,4,5,6,7,8,9,10,11,12,13,14,,,,\n")
	f.Add(head + "p,k,all,1,2,3,4,5,6,7,8,9,10,11,12,13,14,,,,failed\n\"")
	f.Fuzz(func(t *testing.T, in string) {
		done, valid, err := ReadCSV(strings.NewReader(in))
		if err != nil {
			return
		}
		if valid < 0 || valid > int64(len(in)) {
			t.Errorf("%q: %d of %d bytes", in, valid, len(in))
		}
		for k, s := range done {
			if !s.whole() || s.Key != k {
				t.Errorf("%q: program %q is not whole", in, k)
			}
		}
	})
}
