package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// depsSample returns a document with every kind of dependence.
func depsSample() *Deps {
	executed := &Evidence{Method: Executed, Bytes: 4, Size: 8, Seen: 39, Of: 40}
	return &Deps{Schema: DepsSchema, Version: Version, Input: Input{File: "t.s", ISA: "aarch64", Why: "detected", Instructions: 4, Chosen: true}, Arch: "test-core", Title: "A Test Core", Why: "the default for tests",
		Kernels: []DepsKernel{
			{Name: "f:.L4", Function: "f", Lines: "4-7", Loop: true, Depth: 2, Why: "innermost loop", Notes: []string{"a note"},
				Instructions: []DepsInstruction{{Index: 0, Line: 4, Text: "ldr d1, [x0, 8]", LCD: true, CP: true}, {Index: 1, Line: 5, Text: "fadd d0, d0, d1", LCD: true, CP: true},
					{Index: 2, Line: 6, Text: "str d0, [x0], 8", LCD: true}, {Index: 3, Line: 7, Text: "bne .L4"}},
				Dependencies: []KernelDependency{
					{Kind: "register", From: 2, To: 0, Distance: 1, Via: "x0", Order: RAW, Latency: ptr(1), Address: true, Must: true},
					{Kind: "memory", From: 2, To: 0, Distance: 1, Via: "memory", Order: RAW, Latency: ptr(5.5), Must: true, Evidence: executed, LCD: true},
					{Kind: "register", From: 0, To: 1, Via: "d1", Order: RAW, Latency: ptr(4), Must: true, LCD: true, CP: true},
					{Kind: "register", From: 2, To: 1, Distance: 1, Via: "d0", Order: WAR, Must: true},
					{Kind: "memory", From: 0, To: 2, Distance: 3, Via: "memory", Order: RAW, Why: "unrelated base pointers"},
					{Kind: "memory", From: 2, To: 2, Distance: 1, Via: "memory", Order: WAW, Must: true, Evidence: &Evidence{Method: Expressions}},
					{Kind: "flag", From: 1, To: 3, Via: "flags", Order: RAW, Latency: ptr(0), Must: true},
				}, Memory: MemorySearch{Iterations: 41, Runs: 3, Entry: 2}},
			{Name: "g", Address: "0x10-0x14", Loop: false, Why: "all of the function", Instructions: []DepsInstruction{{Address: "0x10", Text: "ret"}}, Dependencies: []KernelDependency{}},
		},
		Diagnostics: []Diagnostic{{Severity: "note", File: "t.s", Message: "something"}}}
}

func TestDepsGolden(t *testing.T) {
	for name, render := range map[string]func(io.Writer) error{
		"deps-text": func(w io.Writer) error { return depsSample().Text(w, TextOptions{}) },
		"deps-text-60": func(w io.Writer) error {
			return depsSample().Text(w, TextOptions{Width: 60, All: true, Color: true})
		},
		"deps-json": func(w io.Writer) error { return JSON(w, depsSample()) },
		"deps-dot":  func(w io.Writer) error { return depsSample().DOT(w) },
		"deps-svg":  func(w io.Writer) error { return depsSample().SVG(w) },
	} {
		var b bytes.Buffer
		if err := render(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
		switch name {
		case "deps-json":
			var d Deps
			if err := json.Unmarshal(b.Bytes(), &d); err != nil {
				t.Error(err)
			}
		case "deps-svg":
			if err := xml.Unmarshal(b.Bytes(), &struct{}{}); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestMemoryText checks the words for dependences through memory.
func TestMemoryText(t *testing.T) {
	d := sample()
	x := &d.Kernels[0].Targets[0]
	x.Memory = &Memory{Without: &Estimate{1.5, "ports"}, Dependencies: []MemoryDependency{
		{From: 2, To: 0, Distance: 1, Evidence: Evidence{Executed, 8, 8, 40, 40}, LCD: true, Without: &Estimate{2.5, "latency"}},
		{From: 2, To: 2, Distance: 2, Evidence: Evidence{Method: Expressions}}},
		Possible: []PossibleDependency{{From: 2, To: 0, If: "x1=x0", Estimate: Estimate{12, "latency"}}, {From: 2, To: 2, Distance: 1, Why: "address depends on data", Estimate: Estimate{7.25, "latency"}}}}
	p := &painter{}
	p.memory(x)
	golden(t, "memory", []byte(p.String()))
}

// golden compares an output with a stored file; -update writes the file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from %s (-update rewrites it):\n%s", name, file, got)
	}
}
