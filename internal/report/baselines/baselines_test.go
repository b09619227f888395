package baselines

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"incore/internal/report"
)

// random returns a baseline of some loops in a few functions.
func random(r *rand.Rand) *Baseline {
	b := &Baseline{Schema: Schema, Version: "1", Archs: []string{"a", "b"}, Tolerance: 2}
	for i := range 1 + r.IntN(12) {
		f := fmt.Sprintf("f%d", r.IntN(4))
		b.Loops = append(b.Loops, Loop{File: "x.s", Function: f, Name: fmt.Sprintf("%s:.L%d", f, i), Shape: fmt.Sprintf("%x", r.Uint64()), Work: report.Work{Flops: 2, Floats: 1, Advance: 8, LoadedBytes: 16}, Cycles: map[string]float64{"a": 1 + float64(r.IntN(9)), "b": 1 + float64(r.IntN(9))}})
	}
	b.Sort()
	return b
}

// copied returns a copy.
func copied(b *Baseline) *Baseline {
	data, _ := json.Marshal(b)
	out, err := Parse("b.json", data)
	if err != nil {
		panic(err)
	}
	return out
}

// TestMatching: in whatever order the loops of the same shapes come, and whatever labels they have, each is compared with itself; a slower one is found, and accepted it passes until
// it becomes slower still.
func TestMatching(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		old := random(r)
		now := copied(old)
		for i := range now.Loops {
			now.Loops[i].Name = fmt.Sprintf("%s:.M%d", now.Loops[i].Function, r.IntN(1000))
		}
		r.Shuffle(len(now.Loops), func(i, j int) { now.Loops[i], now.Loops[j] = now.Loops[j], now.Loops[i] })
		if c := old.Check(now); c.Slower != 0 || c.Compared != 2*len(old.Loops) || len(c.Loops) != c.Compared {
			t.Fatalf("%+v", c)
		}
		x := &now.Loops[r.IntN(len(now.Loops))]
		x.Cycles["b"] *= 1.5
		c := old.Check(now)
		if c.Slower != 1 {
			t.Fatalf("%d slower", c.Slower)
		}
		for _, v := range c.Loops {
			if v.Verdict == "slower" && (v.Name != x.Name && v.Now != x.Cycles["b"] || v.Arch != "b") {
				t.Fatalf("%+v is slower, not %+v", v, x)
			}
		}
		n, left := old.Accept(now, x.Function, "why")
		if n != 1 {
			t.Fatalf("%d accepted", n)
		}
		for _, v := range left {
			if v.Verdict != "same" {
				t.Fatalf("not accepted: %+v", v)
			}
		}
		if c := old.Check(now); c.Slower != 0 {
			t.Fatalf("accepted: %+v", c)
		}
		if x.Cycles["b"] *= 1.1; old.Check(now).Slower != 1 {
			t.Fatal("slower than accepted, and nothing is said")
		}
	}
}

// TestWork: an iteration that does the work of four is compared for the work of one, and one that does other work is not compared.
func TestWork(t *testing.T) {
	old := random(rand.New(rand.NewPCG(3, 4)))
	old.Loops = old.Loops[:1]
	now := copied(old)
	x := &now.Loops[0]
	x.Shape, x.Work = "other", report.Work{Flops: 8, Floats: 1, Advance: 32, LoadedBytes: 64}
	for arch := range x.Cycles {
		x.Cycles[arch] *= 4.04
	}
	if c := old.Check(now); c.Slower != 0 || c.Loops[0].Verdict != "same" || c.Loops[0].Times != 4 {
		t.Errorf("unrolled by four: %+v", c)
	}
	x.Work = report.Work{Flops: 0, Advance: 8}
	if c := old.Check(now); c.Compared != 0 || c.Loops[0].Verdict != "other-work" {
		t.Errorf("other work: %+v", c)
	}
	for verdict, change := range map[string]func(old, now *Baseline){
		"other-work": func(_, _ *Baseline) {},
		"new":        func(old, _ *Baseline) { old.Loops[0].Function, old.Loops[0].Name = "g", "g" },
		"gone":       func(_, now *Baseline) { now.Loops[0].Function, now.Loops[0].Name = "g", "g" },
		"faster": func(old, now *Baseline) {
			now.Loops[0].Work, old.Loops[0].Cycles["a"], old.Loops[0].Cycles["b"] = old.Loops[0].Work, 99, 99
		},
	} {
		old, now := copied(old), copied(now)
		name := old.Loops[0].Function
		change(old, now)
		n, left := old.Accept(now, name, "why")
		if n != 0 || len(left) != 2 || left[0].Verdict != verdict || left[1].Verdict != verdict || len(old.Loops[0].Accepted) != 0 {
			t.Errorf("%s: %d accepted, left %+v", verdict, n, left)
		}
	}
}

// TestParse: what is no baseline says why.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"": "no baseline", "{}": "of layout", `{"schema":"incore.baseline/1"}`: "without machines", `[1]`: "no baseline",
		`{"schema":"incore.baseline/1","archs":["a"],"tolerance_percent":-1,"loops":[{"file":"f"}]}`:                "no percentage",
		`{"schema":"incore.baseline/1","archs":["a"],"loops":[{"file":"f","cycles":{"a":-3}}]}`:                     "-3 cycles",
		`{"schema":"incore.baseline/1","archs":["a"],"loops":[{"file":"f","cycles":{"a":1e308}}]}`:                  "1e+308 cycles",
		`{"schema":"incore.baseline/1","archs":["a"],"loops":[{"file":"f","cycles":{"a":1e-300}}]}`:                 "1e-300 cycles",
		`{"schema":"incore.baseline/1","archs":["a"],"loops":[{"file":"f","accepted":[{"arch":"a","cycles":-5}]}]}`: "-5 cycles are accepted",
		`{"schema":"incore.baseline/1","archs":["a"],"loops":[{"file":"f"},null]}`:                                  "b.json: there is no file of loop 2",
		"{\n<<<<<<< main\n":                      "b.json:2: is no baseline: invalid character '<'",
		"{\"schema\":\"incore.baseline/1\"}\n{}": "b.json:2: is no baseline: more text follows",
		"{\"schema\":\n3,\n\n":                   "b.json:2: is no baseline: unexpected EOF",
	} {
		if _, err := Parse("b.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := Parse("b.json", []byte("\xef\xbb\xbf{\"schema\":\"incore.baseline/1\",\r\n\"archs\":[\"a\"],\"loops\":[{\"file\":\"f\"}]}\r\n")); err != nil {
		t.Errorf("a byte order mark and lines that end in CR LF: %v", err)
	}
}

// TestWrongKind: a baseline with a value of another type says where it is.
func TestWrongKind(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                            "the file has a list where an object is expected",
		`{"archs": "zen4"}`:             "archs has a string where a list is expected",
		`{"loops": [{"function": 1}]}`:  "loops.function has a number where a string is expected",
		`{"tolerance_percent": "much"}`: "tolerance_percent has a string where a number is expected",
	} {
		if _, err := Parse("b.json", []byte(text)); err == nil || err.Error() != "b.json: is no baseline: "+want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
