package compare

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"incore/internal/report"
	"incore/internal/report/findings"
)

// kernel returns a loop of a function with the given numbers of instructions, loads of a size in bytes and stores, and with a stride, on one machine.
func kernel(name string, insts, loads, bytes, stores, advance int, cycles float64) report.Kernel {
	function, _, _ := strings.Cut(name, ":")
	return report.Kernel{Name: name, Function: function, Depth: 1, Work: report.Work{Loads: loads, LoadedBytes: loads * bytes, Stores: stores, StoredBytes: stores * bytes, Branches: 1, Advance: advance},
		Targets: []report.Target{{Arch: "m", Prediction: report.Prediction{Cycles: cycles, Bound: "ports", Bounds: report.Bounds{Ports: cycles}}, Instructions: make([]report.Instruction, insts), Throughput: report.Throughput{Slots: float64(insts)}}}}
}

func doc(k ...report.Kernel) *report.Document { return &report.Document{Kernels: k} }

// TestMatch pairs loops by function, label and shape.
func TestMatch(t *testing.T) {
	before := doc(kernel("f:.L4", 8, 2, 32, 1, 32, 2), kernel("f:.L6", 7, 2, 8, 1, 8, 2), kernel("g:inner", 5, 1, 8, 0, 8, 4), kernel("h:.L9", 4, 1, 8, 0, 8, 1))
	after := doc(kernel("g:inner", 9, 2, 8, 0, 16, 4), kernel("f:.L3", 26, 8, 32, 4, 128, 7), kernel("f:.L5", 7, 2, 8, 1, 8, 2), kernel("k:.L9", 4, 1, 8, 0, 8, 1))
	c := Of([]string{"a", "b"}, []*report.Document{before, after}, 2)
	want := map[string]string{"f:.L4": "f:.L3", "f:.L6": "f:.L5", "g:inner": "g:inner"}
	if len(c.Loops) != len(want) {
		t.Errorf("%d loops, want %d", len(c.Loops), len(want))
	}
	for _, l := range c.Loops {
		if l.Names[1] != want[l.Name] {
			t.Errorf("%s is matched with %s, want %s", l.Name, l.Names[1], want[l.Name])
		}
	}
	if len(c.Only) != 2 || c.Only[0].Name != "h:.L9" || c.Only[1].Name != "k:.L9" {
		t.Errorf("loops of one version: %+v", c.Only)
	}
}

// TestRenamed: loops of functions that the other version lacks are matched by the name without scopes, whatever the
// code, or by the code, and the text says so.
func TestRenamed(t *testing.T) {
	with := func(k report.Kernel, text string) report.Kernel {
		for i := range k.Targets[0].Instructions {
			k.Targets[0].Instructions[i].Text = text
		}
		k.Targets[0].Instructions[0].Text = "jne ." + k.Name
		return k
	}
	a := doc(with(kernel("v1::axpy(float*):.L4", 8, 2, 32, 1, 32, 2), "mulss"), with(kernel("sum:.L6", 7, 2, 8, 1, 8, 2), "addsd"), with(kernel("gone:.L6", 7, 2, 8, 1, 8, 2), "subsd"))
	b := doc(with(kernel("v2::axpy(float*):.L9", 9, 2, 32, 1, 32, 3), "vmulss"), with(kernel("total:.L5", 7, 2, 8, 1, 8, 2), "addsd"), with(kernel("new:.L6", 7, 2, 8, 1, 8, 2), "divsd"))
	for i := range a.Kernels {
		a.Kernels[i].Function, _, _ = strings.Cut(a.Kernels[i].Name, ":.")
		b.Kernels[i].Function, _, _ = strings.Cut(b.Kernels[i].Name, ":.")
	}
	c := Of([]string{"a", "b"}, []*report.Document{a, b}, 2)
	got := map[string]string{}
	for _, l := range c.Loops {
		got[l.Name] = l.Names[1] + " by " + l.Matched
	}
	if len(got) != 2 || got["v1::axpy(float*):.L4"] != "v2::axpy(float*):.L9 by "+byScopes || got["sum:.L6"] != "total:.L5 by "+byCode {
		t.Errorf("%v", got)
	}
	var text bytes.Buffer
	if err := c.Text(&text, report.TextOptions{}); err != nil || !strings.Contains(text.String(), "matched by code: sum:.L6 → total:.L5") || len(c.Only) != 2 {
		t.Errorf("%v: %s", err, text.String())
	}
}

// TestUnlike: loops of two mains that have nothing in common but the function's name are "only in" their versions; what compilers make of one loop is matched.
func TestUnlike(t *testing.T) {
	sum, copying := floats("main:.L3", 1, 1, 8, 0, 8, 4), kernel("main:.L7", 6, 1, 8, 1, 8, 2)
	long := kernel("main:.L5", 900, 300, 8, 20, 8, 3240.97)
	counting := kernel("main:.L9", 3, 0, 0, 0, 0, 1)
	slow := kernel("main:.L8", 8, 1, 8, 0, 8, 700)
	labelled := kernel("main:relax", 6, 1, 8, 1, 8, 2)
	relax := kernel("main:relax", 900, 300, 8, 20, 8, 3240)
	for _, c := range []struct {
		name          string
		first, second []report.Kernel
		matched       int
	}{
		{"a short and a long loop", []report.Kernel{copying}, []report.Kernel{long}, 0},
		{"of several", []report.Kernel{sum, copying}, []report.Kernel{long, counting}, 0},
		{"no access and one", []report.Kernel{counting, copying}, []report.Kernel{slow, long}, 0},
		{"a user's label says so", []report.Kernel{labelled}, []report.Kernel{relax}, 1},
		{"unrolled 64 times", []report.Kernel{kernel("main:.L1", 4, 1, 8, 0, 8, 1)}, []report.Kernel{kernel("main:.L2", 130, 64, 8, 0, 512, 64)}, 1},
		{"vectorised, with its remainder", []report.Kernel{floats("main:.L1", 1, 2, 16, 8, 8, 4)}, []report.Kernel{floats("main:.L2", 1, 16, 128, 64, 64, 4), floats("main:.L4", 1, 2, 16, 8, 8, 4)}, 1},
		{"twice as slow, of two", []report.Kernel{copying, sum}, []report.Kernel{kernel("main:.L2", 12, 2, 8, 1, 8, 4), sum}, 2},
	} {
		r := Of([]string{"a", "b"}, []*report.Document{doc(c.first...), doc(c.second...)}, 2)
		if len(r.Loops) != c.matched || len(r.Only) != len(c.first)+len(c.second)-2*c.matched {
			t.Errorf("%s: %d loops matched, want %d; only in one: %d", c.name, len(r.Loops), c.matched, len(r.Only))
		}
	}
}

// TestChange compares the work of one iteration of the first version.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		name    string
		b       report.Kernel
		limit   float64
		change  float64
		slower  bool
		reasons string
	}{
		{"the same", kernel("f:.L1", 5, 1, 8, 0, 8, 4), 0, 0, false, ""},
		{"slower", kernel("f:.L1", 5, 1, 8, 0, 8, 5), 2, 0.25, true, "ports: 4 → 5 cycles"},
		{"slower, without a limit", kernel("f:.L1", 5, 1, 8, 0, 8, 5), -1, 0.25, false, "ports: 4 → 5 cycles"},
		{"within the limit", kernel("f:.L1", 5, 1, 8, 0, 8, 4.1), 3, 0.025, false, "ports: 4 → 4.1 cycles"},
		{"unrolled", kernel("f:.L1", 17, 4, 8, 0, 32, 8), 2, -0.5, false, "an iteration does the work of 4 before; ports: 4 → 2 cycles; instructions: 5 → 4.25; µops: 5 → 4.25"},
	} {
		r := Of([]string{"a", "b"}, []*report.Document{doc(kernel("f:.L1", 5, 1, 8, 0, 8, 4)), doc(c.b)}, c.limit)
		f := r.Loops[0].Results[0].Versions[1]
		if f.Change != c.change || r.Slower != c.slower || f.Slower != c.slower || strings.Join(f.Why, "; ") != c.reasons {
			t.Errorf("%s: change %v, slower %v (%v), because %q", c.name, f.Change, f.Slower, r.Slower, f.Why)
		}
	}
}

// TestJUnit checks that a name with special characters stays within its attribute, and that a slower loop is reported as a failure.
func TestJUnit(t *testing.T) {
	k := kernel(`f:<"&>`, 5, 1, 8, 0, 8, 4)
	slow := kernel(`f:<"&>`, 5, 1, 8, 0, 8, 5)
	var b bytes.Buffer
	if err := Of([]string{"a", "b"}, []*report.Document{doc(k), doc(slow)}, 2).junit(&b); err != nil {
		t.Fatal(err)
	}
	var s struct {
		Suites []findings.Suite `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if u := s.Suites[0]; u.Tests != 1 || u.Failures != 1 || u.Cases[0].Failure == nil || u.Cases[0].Name != `f:<"&>` {
		t.Errorf("%+v", u)
	}
}

// TestText checks that common directories of the versions' names are left out, that only some of many unmatched loops are listed, and that -v shows the instruction mix.
func TestText(t *testing.T) {
	before, after := doc(kernel("f:.L1", 5, 1, 8, 1, 8, 4)), doc(kernel("f:.L1", 5, 2, 8, 1, 8, 5))
	for i := range maxSingle + 3 {
		after.Kernels = append(after.Kernels, kernel(string(rune('g'+i))+":.L1", 5, 1, 8, 0, 8, 4))
	}
	c := Of([]string{"/usr/lib/one/x.so", "/usr/lib/two/x.so"}, []*report.Document{before, after}, -1)
	for _, verbose := range []bool{false, true} {
		var b strings.Builder
		if err := c.Text(&b, report.TextOptions{Verbose: verbose}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for want, in := range map[string]bool{"/usr/lib": false, "two/x.so": true, "only in two/x.so: 3 more": true, "loads  1  2": verbose} {
			if got := strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")); got != in {
				t.Errorf("verbose %v: %q is there: %v, want %v\n%s", verbose, want, got, in, text)
			}
		}
	}
	if c.Versions[0] != "/usr/lib/one/x.so" || c.Only[0].Version != "/usr/lib/two/x.so" {
		t.Error("writing a comparison changed it")
	}
}

// floats returns a loop that adds floats: instructions with flops in all, from a load of bytes each.
func floats(name string, insts, flops, loaded, stored, advance int, cycles float64) report.Kernel {
	k := kernel(name, 6, 2, 0, 1, advance, cycles)
	k.Work.Floats, k.Work.Flops, k.Work.LoadedBytes, k.Work.StoredBytes = insts, flops, loaded, stored
	return k
}

// TestWork judges the work of an iteration by all its measures: address advance alone misleads where an outer loop was vectorised or unrolled.
func TestWork(t *testing.T) {
	scalar := floats("f:a", 1, 2, 16, 0, 8, 4)
	for _, c := range []struct {
		name          string
		first, second report.Kernel
		times, change float64
		incomparable  bool
	}{
		{"outer loop vectorised: the advance stays, the lanes grow", scalar, floats("f:a", 1, 16, 72, 0, 8, 4), 8, -0.875, false},
		{"and back", floats("f:a", 1, 16, 72, 0, 8, 4), scalar, 0.125, 7, false},
		{"inner loop vectorised", scalar, floats("f:a", 1, 16, 128, 0, 64, 4), 8, -0.875, false},
		{"unrolled", scalar, floats("f:a", 4, 8, 64, 0, 32, 8), 4, -0.5, false},
		{"one more operation for each element", floats("f:a", 1, 1, 16, 8, 8, 2), floats("f:a", 2, 2, 16, 8, 8, 3), 1, 0.5, false},
		{"inner loops unrolled, results in registers", floats("f:a", 1, 2, 8, 4, 4, 1), floats("f:a", 16, 128, 160, 64, 64, 53.35), 1, 0, true},
		{"outer loop unrolled: nothing agrees", scalar, floats("f:a", 4, 8, 40, 0, 8, 4), 1, 0, true},
		{"floats against integers", scalar, kernel("f:a", 4, 1, 8, 0, 8, 1), 1, 0, true},
		{"a reduction whose lanes are joined in the loop", floats("f:a", 4, 9, 64, 8, 64, 4), floats("f:a", 4, 18, 128, 16, 128, 5), 2, -0.375, false},
	} {
		r := Of([]string{"a", "b"}, []*report.Document{doc(c.first), doc(c.second)}, 2)
		f := r.Loops[0].Results[0].Versions[1]
		if f.Times != c.times || f.Change != c.change || (f.Incomparable != "") != c.incomparable || r.Compared() == c.incomparable {
			t.Errorf("%s: %v iterations, change %v, %q; want %v, %v", c.name, f.Times, f.Change, f.Incomparable, c.times, c.change)
		}
	}
}

// doubts are the ways in which the cycles of a loop are a lower bound only.
var doubts = map[string]func(k *report.Kernel){
	"open":    func(k *report.Kernel) { k.Targets[0].Prediction.Open = []string{"rep movsb takes as long as rcx says"} },
	"unknown": func(k *report.Kernel) { k.Targets[0].Prediction.Partial = true },
	"call":    func(k *report.Kernel) { k.Work.Calls = 1 },
}

// TestInMemory: a loop that keeps its variables in memory, as compilers make it without optimisation, cannot be compared by the bytes that it loads.
func TestInMemory(t *testing.T) {
	fast, slow := kernel("count:.L3", 7, 1, 4, 0, 4, 2), kernel("count:.L5", 12, 7, 8, 2, 0, 2.3)
	for _, c := range [][2]report.Kernel{{fast, slow}, {slow, fast}} {
		if n, why := times(&c[0], &c[1]); n != 1 || !strings.Contains(why, "other work") {
			t.Errorf("%s to %s: %g times the work, %q", c[0].Name, c[1].Name, n, why)
		}
	}
	if n, why := times(&fast, &report.Kernel{Work: report.Work{Loads: 1, LoadedBytes: 32, Advance: 32}}); n != 8 || why != "" {
		t.Errorf("vectorised: %g times the work, %q", n, why)
	}
}

// TestLowerBounds: no rendering shows a lower bound without its sign, nor a figure above the bound, whichever version has it and whether it has a counterpart.
func TestLowerBounds(t *testing.T) {
	for name, doubt := range doubts {
		for _, which := range []string{"first", "second", "both", "only"} {
			before, after := doc(kernel("f:.L1", 5, 1, 8, 0, 8, 31.25)), doc(kernel("f:.L1", 5, 1, 8, 0, 8, 31.25))
			unsure := func(k *report.Kernel) {
				k.Targets[0].Prediction.Cycles, k.Targets[0].Prediction.UnknownCosts = 97.53, &report.Interval{Low: 41.27, High: 97.53, Instructions: 1}
				k.Targets[0].Prediction.Bounds.Ports = 0
				doubt(k)
			}
			if which == "first" || which == "both" {
				unsure(&before.Kernels[0])
			}
			if which == "second" || which == "both" {
				unsure(&after.Kernels[0])
			}
			if which == "only" {
				after.Kernels = append(after.Kernels, kernel("g:.L1", 5, 1, 8, 0, 8, 4))
				unsure(&after.Kernels[1])
			}
			c := Of([]string{"a", "b"}, []*report.Document{before, after}, 2)
			shown := map[string]func(*strings.Builder) error{
				"text":     func(b *strings.Builder) error { return c.Text(b, report.TextOptions{Verbose: true}) },
				"markdown": func(b *strings.Builder) error { return c.Markdown(b) },
				"JUnit":    func(b *strings.Builder) error { return c.junit(b) },
			}
			for format, write := range shown {
				var b strings.Builder
				if err := write(&b); err != nil {
					t.Fatal(err)
				}
				text := b.String()
				if strings.Contains(text, "97.53") || strings.Count(text, "41.27") != strings.Count(text, "≥ 41.27") {
					t.Errorf("%s in %s, as %s:\n%s", name, which, format, text)
				}
				if which != "only" && !strings.Contains(text, "≥ 41.27") || which != "only" && format != "JUnit" && !strings.Contains(text, "lower bounds") {
					t.Errorf("%s in %s, as %s, is not marked:\n%s", name, which, format, text)
				}
			}
			if which == "only" && (len(c.Only) != 1 || !c.Only[0].AtLeast || c.Only[0].Cycles != 41.27) {
				t.Errorf("%s: only in one: %+v", name, c.Only)
			}
		}
	}
}

// TestVectorisedBytes: a loop over elements of any size is matched with the loop of vectors that a compiler made of it, not with the remainder loops behind that.
func TestVectorisedBytes(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8} {
		for _, vector := range []int{8, 16, 32, 64} {
			for _, unrolled := range []int{1, 2, 4, 8} {
				if vector <= size {
					continue
				}
				before := doc(kernel("f:.L1", 6, 1, size, 1, size, 2))
				after := doc(kernel("f:.L2", 3+2*unrolled, unrolled, vector, unrolled, unrolled*vector, float64(unrolled)), kernel("f:.L3", 5, 1, 8, 1, 8, 1), kernel("f:.L4", 6, 1, size, 1, size, 2))
				if vector*unrolled == 8 {
					after.Kernels = append(after.Kernels[:1], after.Kernels[2])
				}
				c := Of([]string{"a", "b"}, []*report.Document{before, after}, .05)
				if len(c.Loops) != 1 || c.Loops[0].Names[1] != "f:.L2" {
					t.Errorf("elements of %d bytes, %d vectors of %d: %d loops are matched", size, unrolled, vector, len(c.Loops))
				}
			}
		}
	}
}
